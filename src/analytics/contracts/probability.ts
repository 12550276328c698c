import { normalCdf } from "../backtest/normal.ts";

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
