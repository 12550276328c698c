import { TIMEFRAME_MS, type Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { barCloseMs, marketStateAt, sessionOf } from "../../market/calendar/calendar.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Where bars of an exchange may end: sources begin them at the open, at full hours, or before the open. */
const GRID_MS = 30 * MINUTE;

/**
 * The next moment after one (epoch ms) at which a bar of a series may close: around the clock for crypto, with the session for
 * an exchange's day, and for parts of its day at every half hour, or more often where the bars are shorter, from the
 * first trading before the open to the last after the close.
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

/** The next whole multiple of a length after a moment. */
const multiple = (after: number, length: number): number => (Math.floor(after / length) + 1) * length;
