import { type Bars, TIMEFRAME_MS } from "../../domain/market/bars.ts";
import type { TradingHours } from "../../domain/market/trading-hours.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { barCloseMs, sessionOf } from "../../market/calendar/calendar.ts";

/** Bars inspected to detect the trading hours of a file; more than a day of the shortest ones. */
const SAMPLE_BARS = 200;

/** Returns the time at which the bar at `index` closed, epoch ms. */
export const closeTimeOf = (bars: Bars, index: number, hours: TradingHours): number =>
  barCloseMs(bars.time[index]!, bars.timeframe, bars.zone, hours);

/** Number of bars that had closed by an instant (epoch ms). */
export function countClosedBars(bars: Bars, at: number, hours: TradingHours): number {
  let low = 0;
  let high = bars.time.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (closeTimeOf(bars, middle, hours) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the trading hours of bars: extended if one of the newest bars lies entirely outside the regular
 * session.
 */
export function detectTradingHours({ time, timeframe, zone }: Bars): TradingHours {
  if (zone === "UTC" || timeframe === "1d") return "regular";
  const outside = time.subarray(-SAMPLE_BARS).some((start) => {
    const session = sessionOf(newYorkDate(start));
    return session !== null && (start >= session.close || start + TIMEFRAME_MS[timeframe] <= session.open);
  });
  return outside ? "extended" : "regular";
}
