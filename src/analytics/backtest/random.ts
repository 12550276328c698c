/** A random number generator; the same seed gives the same numbers on every JavaScript engine. */
export interface Random {
  /** Returns a random integer from 0 to 2^32 - 1. */
  bits(): number;
  /** Returns a random number in [0, 1), in steps of 2^-32. */
  unit(): number;
  /** Returns a random integer from 0 to `count - 1`; each is equally likely to within count/2^32. */
  below(count: number): number;
}

/**
 * Returns a xoshiro128** generator (period 2^128 - 1); the four words of `state` must not all be 0.
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

/** Returns a generator for the lowest 32 bits of `seed`; neighbouring seeds give unrelated numbers. */
export const seededRandom = (seed: number): Random =>
  randomFrom([spread(seed, 1), spread(seed, 2), spread(seed, 3), spread(seed, 4)]);

const rotate = (x: number, by: number): number => (x << by) | (x >>> (32 - by));

/** Returns one word of the initial state for a seed. @see Appleby, MurmurHash3 (2011), finaliser */
function spread(seed: number, step: number): number {
  let h = seed + Math.imul(step, 0x9e3779b9);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** Returns the integers from 0 to `count - 1` in random order. @see R. Durstenfeld, 1964 */
export function shuffled(count: number, random: Random): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  for (let last = count - 1; last > 0; last--) {
    const other = random.below(last + 1);
    const moved = order[last]!;
    order[last] = order[other]!;
    order[other] = moved;
  }
  return order;
}
