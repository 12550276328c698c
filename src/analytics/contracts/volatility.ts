import type { Bars } from "../../domain/market/bars.ts";
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
