import { type BarTimeframe, type SessionZone, TIMEFRAME_MS, weekStart } from "../../domain/market/bars.ts";
import type { AssetClass, MarketState } from "../../domain/market/market.ts";
import type { BarLayout } from "../../domain/market/trading-hours.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { CLOSE, exchangeStateAt, hoursOf, newYorkClock } from "./trading-hours.ts";

const DAY = 86_400_000;

/** Regular session of US equities on one date, epoch ms. */
export interface Session {
  readonly open: number;
  readonly close: number;
}

/** Returns the regular session of a date `YYYY-MM-DD`, with half days and daylight saving time; null if there is none. */
export function sessionOf(date: string): Session | null {
  const day = Date.parse(`${date}T00:00:00Z`);
  const hours = Number.isNaN(day) ? null : hoursOf(day);
  return hours && { open: hours.open, close: hours.close };
}

/** Returns the regular session of a date given as its 00:00 UTC, epoch ms; null without one. */
export const sessionOn = (day: number): Session | null => sessionOf(new Date(day).toISOString().slice(0, 10));

/** Returns the date of the last session before a date, both as 00:00 UTC (epoch ms); null if there is none in nine days. */
export function previousSessionDay(day: number): number | null {
  for (let before = day - DAY; before > day - 10 * DAY; before -= DAY)
    if (sessionOn(before) !== null) return before;
  return null;
}

/**
 * Returns the close (epoch ms) of the last session before a date, given as its 00:00 UTC; null if there is none in nine
 * days.
 */
export function lastCloseBefore(day: number): number | null {
  const before = previousSessionDay(day);
  return before === null ? null : (sessionOn(before)?.close ?? null);
}

/** Returns the market state at a time: that of US exchanges; crypto is always open. */
export function marketStateAt(epochMs: number, assetClass: AssetClass): MarketState {
  return assetClass === "crypto" ? "always_open" : exchangeStateAt(epochMs);
}

/**
 * Returns the close time of a bar, epoch ms; `time` as in `Bars`. A daily bar of an equity closes with its session, a
 * weekly bar with the last session of its week. An intraday bar closes no later than the session in which it starts:
 * the 15:30 hour closes at 16:00 New York time. With `extended` hours, it closes no later than post-market trading, and
 * with `by_session` no later than the part of the day in which it starts. On a date without a session, an intraday bar
 * lasts its full length and a daily bar closes at 16:00. Bars of 24-hour markets always last their full length.
 */
export function barCloseMs(
  time: number,
  timeframe: BarTimeframe,
  zone: SessionZone,
  layout: BarLayout = "regular",
): number {
  if (timeframe === "1w") return weekCloseMs(weekStart(time), zone);
  const end = time + TIMEFRAME_MS[timeframe];
  if (zone === "UTC") return end;
  if (timeframe === "1d") return hoursOf(time)?.close ?? newYorkClock(time, CLOSE.full);
  const day = hoursOf(newYorkDay(time));
  if (day === null) return end;
  if (time < day.open && layout === "by_session") return Math.min(end, day.open);
  if (time < day.close && layout !== "extended") return Math.min(end, day.close);
  return time < day.postClose ? Math.min(end, day.postClose) : end;
}

/** Returns the close of the last session of a week (its Monday), epoch ms; of Friday at 16:00 if it has no session. */
function weekCloseMs(monday: number, zone: SessionZone): number {
  if (zone === "UTC") return monday + 7 * DAY;
  for (let day = 4; day >= 0; day--) {
    const hours = hoursOf(monday + day * DAY);
    if (hours !== null) return hours.close;
  }
  return newYorkClock(monday + 4 * DAY, CLOSE.full);
}

/**
 * Returns the start of the part of the trading day (pre-market, regular session or after-hours) at a time; null if
 * closed.
 */
export function sessionPartStart(epochMs: number): number | null {
  const hours = hoursOf(newYorkDay(epochMs));
  if (hours === null || epochMs < hours.preOpen || epochMs >= hours.postClose) return null;
  if (epochMs < hours.open) return hours.preOpen;
  return epochMs < hours.close ? hours.open : hours.close;
}
