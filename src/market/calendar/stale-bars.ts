import { type BarTimeframe, TIMEFRAME_MS, weekStart } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { barCloseMs, sessionOn } from "./calendar.ts";

/** Number of later bars of the same length that may have closed before bars are stale. */
export const MAX_MISSED_BARS = 3;
const DAY = 86_400_000;
const ZONE = "America/New_York";

/** Bars whose age is measured: when the newest one closed, and when they are read (epoch ms). */
export interface AgedBars {
  readonly closed: string;
  readonly at: number;
  readonly timeframe: BarTimeframe;
  readonly asset_class: AssetClass;
}

/**
 * Returns true if more than 3 later bars have closed by the calendar since the newest one: sessions for the daily bars
 * of stocks, days for those of crypto.
 */
export const isStale = ({ closed, at, ...kind }: AgedBars): boolean =>
  countClosesBetween(Date.parse(closed), at, kind, MAX_MISSED_BARS + 1) > MAX_MISSED_BARS;

/**
 * Returns how many bars of a timeframe close after `after` and not after `until` (epoch ms), at most `max`: of stocks
 * and funds in regular sessions, of crypto at any time.
 */
export function countClosesBetween(
  after: number,
  until: number,
  { timeframe, asset_class }: { readonly timeframe: BarTimeframe; readonly asset_class: AssetClass },
  max: number,
): number {
  if (until <= after) return 0;
  if (asset_class === "crypto") return Math.min(max, Math.floor((until - after) / TIMEFRAME_MS[timeframe]));
  const step = timeframe === "1w" ? 7 * DAY : DAY;
  const first = timeframe === "1w" ? weekStart(newYorkDay(after)) : newYorkDay(after);
  let count = 0;
  for (let day = first; day <= until && count < max; day += step)
    count += closesFrom(day, timeframe).filter((close) => close > after && close <= until).length;
  return Math.min(max, count);
}

/** Returns the close times of the bars of a day (00:00 UTC of its date), or of the week that it starts. */
function closesFrom(day: number, timeframe: BarTimeframe): readonly number[] {
  if (timeframe === "1w") return [barCloseMs(day, timeframe, ZONE)];
  const session = sessionOn(day);
  if (session === null) return [];
  const length = timeframe === "1d" ? session.close - session.open : TIMEFRAME_MS[timeframe];
  const count = Math.ceil((session.close - session.open) / length);
  return Array.from({ length: count }, (_, i) => Math.min(session.open + (i + 1) * length, session.close));
}
