import { normalCdf } from "../backtest/normal.ts";

/** Range of probabilities in which price and volatility leave a level open. */
const OPEN = { from: 0.05, to: 0.95 } as const;
const DAY = 86_400_000;
/** Range of the times to a decision: nearer days depend on the hour, farther ones on more than a volatility of months. */
const AHEAD = { from: DAY, to: 365 * DAY } as const;

/** A level, the price now, and the spread of the logarithm of the price until the day (a fraction, above 0). */
export interface Reach {
  readonly price: number;
  readonly level: number;
  readonly spread: number;
}

/**
 * Probability that a lognormal price without drift is above the level on the day.
 * @see Fischer Black and Myron Scholes, "The Pricing of Options and Corporate Liabilities" (1973): N(d2) at no interest
 */
export const aboveProbability = ({ price, level, spread }: Reach): number =>
  normalCdf((Math.log(price / level) - (spread * spread) / 2) / spread);

/**
 * Probability that a lognormal price without drift reaches the level at some time until the day; 1 where it is there already.
 * `side`: whether the level is reached from below (`above`) or from above (`below`).
 * @see Mark Rubinstein and Eric Reiner, "Breaking Down the Barriers", Risk 4 (1991): the reflection principle
 */
export function touchProbability({ price, level, spread }: Reach, side: "above" | "below"): number {
  const sign = side === "above" ? 1 : -1;
  const away = Math.log(price / level);
  if (sign * away >= 0) return 1;
  const half = (spread * spread) / 2;
  const beyond = normalCdf((sign * (away - half)) / spread);
  const back = (price / level) * normalCdf((sign * (away + half)) / spread);
  return Math.min(1, beyond + back);
}

/** True if a bet is decided a day to a year after a moment, epoch ms. */
export const isDecidable = <B extends { readonly by: number | null }>(
  bet: B,
  at: number,
): bet is B & { readonly by: number } =>
  bet.by !== null && bet.by >= at + AHEAD.from && bet.by <= at + AHEAD.to;

/** Probability of a bet without drift; null where price and volatility all but decide it. */
export function openProbability(kind: "at" | "touch", reach: Reach): number | null {
  const neutral = kind === "at" ? aboveProbability(reach) : touchProbability(reach, "above");
  return neutral < OPEN.from || neutral > OPEN.to ? null : neutral;
}
