import type { Bars } from "../../domain/market/bars.ts";
import { newYorkDay } from "../../lib/newyork.ts";

const DAY = 86_400_000;

/** The session date of each bar as 00:00 UTC in epoch ms: New York's date for its bars, UTC's for the others. */
export function sessionDays(bars: Bars): Float64Array {
  if (bars.timeframe === "1d" || bars.zone === "UTC")
    return bars.time.map((time) => Math.floor(time / DAY) * DAY);
  return bars.time.map(newYorkDay);
}
