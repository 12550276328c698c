import { TIMEFRAME_MS, type Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { barCloseMs, marketStateAt, sessionOf } from "../../market/calendar/calendar.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Grid of possible intraday closes; providers align bars to the session open, full hours or the pre-market open. */
const GRID_MS = 30 * MINUTE;

/**
 * Returns the next time after `after` (epoch ms) at which a bar may close: at multiples of its length for crypto, at
 * the session close for daily stock bars, and on a half-hour grid (or finer) for intraday bars, from pre-market to
 * after-hours.
 */
export function nextClose(after: number, timeframe: Timeframe, assetClass: AssetClass): number {
  const length = TIMEFRAME_MS[timeframe];
  if (assetClass === "crypto") return multiple(after, length);
  for (let day = newYorkDay(after); ; day += DAY) {
    if (sessionOf(new Date(day).toISOString().slice(0, 10)) === null) continue;
    if (timeframe === "1d") {
      const close = barCloseMs(day, timeframe, "America/New_York");
      if (close > after) return close;
      continue;
    }
    const step = Math.min(length, GRID_MS);
    const end = day + 2 * DAY;
    for (let at = multiple(Math.max(after, day), step); at < end; at = multiple(at, step))
      if (newYorkDay(at - 1) === day && marketStateAt(at - 1, assetClass) !== "closed") return at;
  }
}

/** Returns the next multiple of `length` after a time. */
const multiple = (after: number, length: number): number => (Math.floor(after / length) + 1) * length;
