import {
  type BarTimeframe,
  type ProviderTimeframe,
  TIMEFRAME_MS,
  weekStart,
} from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { barCloseMs, sessionOf } from "../calendar/calendar.ts";
import { tradingDay } from "../calendar/holidays.ts";
import { zoneFor } from "./sanitize-bars.ts";

const DAY = 86_400_000;

/** Number of bars per regular session, including a short last bar. */
const PER_SESSION = {
  "1d": 1,
  "4h": 2,
  "1h": 7,
  "30m": 13,
  "15m": 26,
  "5m": 78,
  "1m": 390,
} as const satisfies Record<ProviderTimeframe, number>;

/**
 * Returns the start (epoch ms) of a window with at least `limit` bars closed by `at`, plus one session (one week for
 * weekly bars, which start on a Monday).
 */
export function windowStart(
  timeframe: BarTimeframe,
  limit: number,
  at: number,
  assetClass: AssetClass,
): number {
  const length = TIMEFRAME_MS[timeframe];
  if (timeframe === "1w") return weekStart(at) - (limit + 1) * length;
  if (assetClass === "crypto") return (Math.floor(at / length) - limit - 2) * length;
  let sessions = Math.ceil(limit / PER_SESSION[timeframe]) + 1;
  let day = Math.floor(at / DAY) * DAY;
  while (sessions > 0) {
    const kind = tradingDay(day);
    // half days have about half the bars
    if (kind !== "closed") sessions -= kind === "half" ? 0.5 : 1;
    day -= DAY;
  }
  return day + DAY;
}

/**
 * Number of bars fetched per call: enough for the longest request, so that one call serves all requests of the next
 * minutes. Weekly bars are built from seven times as many daily bars, so five years are fetched unless more are
 * requested.
 */
export const fetchLimit = (timeframe: BarTimeframe): number => (timeframe === "1w" ? 261 : 510);

/**
 * Returns the start of the first complete bar (epoch ms) of a provider with `days` of history at `now`. Bars of stocks
 * are complete from a session open, weekly bars from a Monday.
 */
export function reachStart(
  days: number,
  now: number,
  timeframe: BarTimeframe,
  assetClass: AssetClass,
): number {
  const reach = now - days * DAY;
  if (timeframe === "1w") return weekStart(reach - 1) + TIMEFRAME_MS["1w"];
  const whole = assetClass === "crypto" ? TIMEFRAME_MS[timeframe] : DAY;
  return Math.ceil(reach / whole) * whole;
}

/**
 * Returns the starts (epoch ms, ascending) of the bars of a provider that the calendar expects from `from` on and that
 * close by `until`.
 */
export function startsOf(
  timeframe: ProviderTimeframe,
  { from, until }: { readonly from: number; readonly until: number },
  assetClass: AssetClass,
): readonly number[] {
  const starts: number[] = [];
  for (let day = Math.floor(from / DAY) * DAY - DAY; day <= until; day += DAY) {
    const hours = assetClass === "crypto" ? { open: day, close: day + DAY } : sessionOf(isoDate(day));
    if (hours === null) continue;
    if (timeframe === "1d") starts.push(day);
    else for (let time = hours.open; time < hours.close; time += TIMEFRAME_MS[timeframe]) starts.push(time);
  }
  return starts.filter((time) => time >= from && barCloseMs(time, timeframe, zoneFor(assetClass)) <= until);
}

/**
 * Returns the New York dates (`YYYY-MM-DD`, ascending) on which US stocks trade, from the date of `from` to the date of
 * `until` (epoch ms).
 */
export function datesWithin(range: { readonly from: number; readonly until: number }): readonly string[] {
  const dates: string[] = [];
  for (let day = newYorkDay(range.from); day <= newYorkDay(range.until); day += DAY)
    if (sessionOf(isoDate(day)) !== null) dates.push(isoDate(day));
  return dates;
}

/** Returns true during the regular session of stocks and funds; always true for crypto. */
export function isRegularSession(assetClass: AssetClass, at: number): boolean {
  if (assetClass === "crypto") return true;
  const session = sessionOf(isoDate(at));
  return session !== null && at >= session.open && at < session.close;
}

const isoDate = (at: number): string => new Date(at).toISOString().slice(0, 10);
