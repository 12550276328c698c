import type { Bars } from "../../domain/market/bars.ts";
import { normalCdf } from "../backtest/normal.ts";
import { variance } from "../statistics.ts";

const DAY = 86_400_000;
/** Number of moves of a volatility, and the minimum. */
const WINDOW = 63;
const MIN_MOVES = 21;
/** Sessions of an exchange in a calendar day. */
const SESSIONS_A_DAY = 252 / 365;

/**
 * Realised volatility of the last 63 closes of daily bars, as the spread of the logarithmic move of a calendar day: on an
 * exchange a session's variance is spread over the days between sessions. Null under 21 moves, without movement, and for
 * other bar lengths.
 */
export function realisedVolatility({ close, timeframe, zone }: Bars): number | null {
  const moves: number[] = [];
  for (let bar = Math.max(1, close.length - WINDOW); bar < close.length; bar++)
    moves.push(Math.log(close[bar]! / close[bar - 1]!));
  if (timeframe !== "1d" || moves.length < MIN_MOVES) return null;
  const daily = Math.sqrt(variance(moves) * (zone === "UTC" ? 1 : SESSIONS_A_DAY));
  return daily > 0 && Number.isFinite(daily) ? daily : null;
}

/** Spread of the logarithm of the price between two moments (epoch ms), from that of a day. */
export const spreadUntil = (daily: number, from: number, until: number): number =>
  daily * Math.sqrt((until - from) / DAY);

/** Range of probabilities in which price and volatility leave a level open. */
const OPEN = { from: 0.05, to: 0.95 } as const;
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
