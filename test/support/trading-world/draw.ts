/** Random choices from one seed: the same seed gives the same sequence. */
export interface Draw {
  /** A number in [0, 1). */
  next(): number;
  /** True with the given probability. */
  chance(of: number): boolean;
  /** An integer from `least` to `most`. */
  whole(least: number, most: number): number;
  one<T>(of: readonly T[]): T;
}

/** Draws from a seed, with the generator mulberry32. @see Tommy Ettinger, 2017 */
export function drawsOf(seed: number): Draw {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return { next, chance: (of) => next() < of, whole, one: (of) => of[whole(0, of.length - 1)]! };
}
