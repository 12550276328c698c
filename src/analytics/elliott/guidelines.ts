import { mean } from "../statistics.ts";
import { closeness, logLength } from "./fibonacci.ts";

/**
 * Returns the mean score of the guidelines for an impulse, 0-1, in log lengths: wave 2 retraces .5-.618 of 1, wave 3
 * is 1.618-2.618 of 1, wave 4 retraces .236-.382 of 3 and differs from 2 in depth (alternation), wave 5 is .618-1 of
 * 1, and exactly one of 1, 3 and 5 is extended. Uses the guidelines that three to six prices (start, ends of waves)
 * can test. The score ranks counts; it never makes one valid.
 * @see Frost & Prechter, "Elliott Wave Principle" (1978)
 */
export function impulseScore(prices: readonly number[]): number {
  const [one, two, three, four, five] = lengths(prices) as [number, number, ...number[]];
  const met = [closeness(two / one, 0.5, 0.618)];
  if (three !== undefined) met.push(closeness(three / one, 1.618, 2.618));
  if (three !== undefined && four !== undefined) {
    const [shallow, deep] = [two / one, four / three].sort((a, b) => a - b) as [number, number];
    met.push(closeness(four / three, 0.236, 0.382), 1 - closeness(deep / shallow, 1, 1));
  }
  if (five !== undefined)
    met.push(closeness(five / one, 0.618, 1), extendedWaves(prices).length === 1 ? 1 : 0);
  return mean(met);
}

/**
 * Returns the mean score of the guidelines for A and B of a correction, 0-1, in log lengths: A retraces .236-.618 of
 * the impulse; B retraces .382-.618 of A in a zigzag and .9-1.382 in a flat.
 * @see Frost & Prechter, "Elliott Wave Principle" (1978)
 */
export function correctionScore(
  pattern: "zigzag" | "flat",
  impulse: readonly number[],
  [start, a, b]: readonly [number, number, number],
): number {
  const fullLength = logLength(impulse[0]!, impulse[5]!);
  const back = logLength(a, b) / logLength(start, a);
  return mean([
    closeness(logLength(start, a) / fullLength, 0.236, 0.618),
    pattern === "zigzag" ? closeness(back, 0.382, 0.618) : closeness(back, 0.9, 1.382),
  ]);
}

/**
 * Returns which of waves 1, 3 and 5 are extended: at least 1.618 times the shortest of the three, in price. The
 * shortest never is, so at most two are extended.
 */
export function extendedWaves(prices: readonly number[]): readonly (1 | 3 | 5)[] {
  const length = (wave: number) => Math.abs(prices[wave]! - prices[wave - 1]!);
  const shortest = Math.min(length(1), length(3), length(5));
  return ([1, 3, 5] as const).filter((wave) => length(wave) > shortest && length(wave) >= 1.618 * shortest);
}

const lengths = (prices: readonly number[]): number[] =>
  prices.slice(1).map((price, i) => logLength(prices[i]!, price));
