/** A random number generator, the same for the same seed on every engine. */
export interface Random {
  /** 32 bits, a whole number of 0 to 2^32 - 1. */
  bits(): number;
  /** A number in [0, 1), in steps of 2^-32. */
  unit(): number;
  /** A whole number of 0 to `count - 1`, each within count/2^32 of equally likely. */
  below(count: number): number;
}

/**
 * Draws of xoshiro128**, of period 2^128 - 1, from a state of four words that are not all zero.
 * @see D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", 2021
 */
export function randomFrom(state: readonly [number, number, number, number]): Random {
  let [a, b, c, d] = state;
  const bits = (): number => {
    const drawn = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return drawn;
  };
  const unit = () => bits() / 4_294_967_296;
  return { bits, unit, below: (count) => Math.floor(unit() * count) };
}

/** Generator for a seed, of which the lowest 32 bits count; neighbouring seeds are unrelated. */
export const seededRandom = (seed: number): Random =>
  randomFrom([spread(seed, 1), spread(seed, 2), spread(seed, 3), spread(seed, 4)]);

const rotate = (x: number, by: number): number => (x << by) | (x >>> (32 - by));

/** A word of the state that a seed begins with. @see Appleby, MurmurHash3 (2011), finaliser */
function spread(seed: number, step: number): number {
  let h = seed + Math.imul(step, 0x9e3779b9);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** The whole numbers from 0 to `count - 1` in random order. @see R. Durstenfeld, 1964 */
export function shuffled(count: number, random: Random): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  for (let left = count - 1; left > 0; left--) {
    const other = random.below(left + 1);
    const moved = order[left]!;
    order[left] = order[other]!;
    order[other] = moved;
  }
  return order;
}
