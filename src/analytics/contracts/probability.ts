import type { Bars } from "../../domain/market/bars.ts";
import { normalCdf } from "../backtest/normal.ts";
import { variance } from "../statistics.ts";

const DAY = 86_400_000;
/** Maximum number of closes for the volatility, and minimum number of moves. */
const WINDOW = 63;
const MIN_MOVES = 21;
/** Exchange sessions per calendar day. */
const SESSIONS_A_DAY = 252 / 365;

/**
 * Returns the realised volatility of the last 63 daily closes: the standard deviation of the log return per calendar
 * day. For an exchange, session variance is spread over calendar days. Null with fewer than 21 moves, without
 * movement, and for other timeframes.
 */
export function realisedVolatility({ close, timeframe, zone }: Bars): number | null {
  const moves: number[] = [];
  for (let bar = Math.max(1, close.length - WINDOW); bar < close.length; bar++)
    moves.push(Math.log(close[bar]! / close[bar - 1]!));
  if (timeframe !== "1d" || moves.length < MIN_MOVES) return null;
  const daily = Math.sqrt(variance(moves) * (zone === "UTC" ? 1 : SESSIONS_A_DAY));
  return daily > 0 && Number.isFinite(daily) ? daily : null;
}

/** Returns the standard deviation of the log price between two times (epoch ms), from the daily one. */
export const spreadUntil = (daily: number, from: number, until: number): number =>
  daily * Math.sqrt((until - from) / DAY);

/** Probabilities between which a level counts as undecided. */
const OPEN = { from: 0.05, to: 0.95 } as const;
/** Allowed time to the decision: nearer ones depend on the hour, later ones on more than recent volatility. */
const DECISION_WINDOW_MS = { from: DAY, to: 365 * DAY } as const;

/** A level, the current price, and the standard deviation of the log price until the decision (above 0). */
export interface Reach {
  readonly price: number;
  readonly level: number;
  readonly spread: number;
}

/**
 * Returns the probability that a driftless lognormal price is above the level at the decision.
 * @see Fischer Black and Myron Scholes, "The Pricing of Options and Corporate Liabilities" (1973): N(d2) at zero interest
 */
export const aboveProbability = ({ price, level, spread }: Reach): number =>
  normalCdf((Math.log(price / level) - (spread * spread) / 2) / spread);

/**
 * Returns the probability that a driftless lognormal price reaches the level before the decision; 1 if it is already
 * there. `side` is where the level lies: `above` is reached from below, `below` from above.
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

/** Returns true if a bet is decided between a day and a year after `at`, epoch ms. */
export const isDecidable = <B extends { readonly by: number | null }>(
  bet: B,
  at: number,
): bet is B & { readonly by: number } =>
  bet.by !== null && bet.by >= at + DECISION_WINDOW_MS.from && bet.by <= at + DECISION_WINDOW_MS.to;

/** Returns the driftless probability of a bet; null outside .05 to .95, where the outcome is nearly certain. */
export function openProbability(kind: "at" | "touch", reach: Reach): number | null {
  const neutral = kind === "at" ? aboveProbability(reach) : touchProbability(reach, "above");
  return neutral >= OPEN.from && neutral <= OPEN.to ? neutral : null;
}
