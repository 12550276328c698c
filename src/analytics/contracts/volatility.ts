import type { Bars } from "../../domain/market/bars.ts";

const DAY = 86_400_000;
/** Number of moves of a volatility, and the minimum. */
const WINDOW = 63;
const MIN_MOVES = 21;
/** Sessions of an exchange in a calendar day. */
const SESSIONS_A_DAY = 252 / 365;

/** How far a price spreads. */
export interface Realised {
  /** Spread of the logarithmic move of one calendar day. */
  readonly daily: number;
  readonly moves: number;
}

/**
 * Realised volatility of the last 63 closes of daily bars, as the spread of a calendar day: on an exchange a session's variance is
 * spread over the days between sessions. Null under 21 moves, without movement, and for other bar lengths.
 */
export function realisedVolatility({ close, timeframe, zone }: Bars): Realised | null {
  const moves: number[] = [];
  for (let bar = Math.max(1, close.length - WINDOW); bar < close.length; bar++)
    moves.push(Math.log(close[bar]! / close[bar - 1]!));
  if (timeframe !== "1d" || moves.length < MIN_MOVES) return null;
  const mean = moves.reduce((all, move) => all + move, 0) / moves.length;
  const variance = moves.reduce((all, move) => all + (move - mean) ** 2, 0) / (moves.length - 1);
  const daily = Math.sqrt(variance * (zone === "UTC" ? 1 : SESSIONS_A_DAY));
  return daily > 0 && Number.isFinite(daily) ? { daily, moves: moves.length } : null;
}

/** Spread of the logarithm of the price between two moments (epoch ms). */
export const spreadUntil = ({ daily }: Realised, from: number, until: number): number =>
  daily * Math.sqrt((until - from) / DAY);
