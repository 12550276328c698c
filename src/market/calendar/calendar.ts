import { type SessionZone, TIMEFRAME_MS, type Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass, MarketState } from "../../domain/market/market.ts";
import type { TradingHours } from "../../domain/market/trading-hours.ts";
import { newYorkDay, newYorkOffsetMs } from "../../lib/newyork.ts";
import { tradingDay } from "./holidays.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PRE_OPEN = 4 * HOUR;
const OPEN = 9 * HOUR + 30 * MINUTE;
const CLOSE = { full: 16 * HOUR, half: 13 * HOUR } as const;
const POST_CLOSE = { full: 20 * HOUR, half: 17 * HOUR } as const;

/** The regular session of US equities on one date; epoch ms. */
export interface Session {
  readonly open: number;
  readonly close: number;
}

/** The regular session of a date `YYYY-MM-DD`, half days and clock changes included; null without one. */
export function sessionOf(date: string): Session | null {
  const day = Date.parse(`${date}T00:00:00Z`);
  const hours = Number.isNaN(day) ? null : hoursOf(day);
  return hours && { open: hours.open, close: hours.close };
}

/** The regular session of a date given as its 00:00 UTC, epoch ms; null without one. */
export const sessionOn = (day: number): Session | null => sessionOf(new Date(day).toISOString().slice(0, 10));

/** Date of the last session before a date, both as 00:00 UTC (epoch ms); null if there is none in nine days. */
export function previousSessionDay(day: number): number | null {
  for (let before = day - DAY; before > day - 10 * DAY; before -= DAY)
    if (sessionOn(before) !== null) return before;
  return null;
}

/** The session of the venue at an instant: 04:00 pre, 09:30 regular, post until four hours after the close. */
export function marketStateAt(epochMs: number, assetClass: AssetClass): MarketState {
  if (assetClass === "crypto") return "always_open";
  const hours = hoursOf(newYorkDay(epochMs));
  if (hours === null || epochMs < hours.preOpen || epochMs >= hours.postClose) return "closed";
  if (epochMs < hours.open) return "pre";
  return epochMs < hours.close ? "regular" : "post";
}

/**
 * When a bar is closed (epoch ms), `time` as in `Bars`. An equity's day closes with its session, a part of it no
 * later than the session it began in, so the 15:30 hour closes at 16:00 New York; where bars hold `extended`
 * hours, a part of a day ends no later than the evening's trading. Bars of a date without a session are taken to
 * last their whole length, a day until 16:00. A 24-hour bar always lasts its length.
 */
export function barCloseMs(
  time: number,
  timeframe: Timeframe,
  zone: SessionZone,
  hours: TradingHours = "regular",
): number {
  const end = time + TIMEFRAME_MS[timeframe];
  if (zone === "UTC") return end;
  if (timeframe === "1d") return hoursOf(time)?.close ?? newYorkClock(time, CLOSE.full);
  const day = hoursOf(newYorkDay(time));
  if (day === null) return end;
  if (time < day.close && hours === "regular") return Math.min(end, day.close);
  return time < day.postClose ? Math.min(end, day.postClose) : end;
}

interface Hours extends Session {
  readonly preOpen: number;
  readonly postClose: number;
}

/** Trading hours of a date given as its 00:00 UTC. */
function hoursOf(day: number): Hours | null {
  const kind = tradingDay(day);
  if (kind === "closed") return null;
  const midnight = newYorkClock(day, 0);
  return {
    preOpen: midnight + PRE_OPEN,
    open: midnight + OPEN,
    close: midnight + CLOSE[kind],
    postClose: midnight + POST_CLOSE[kind],
  };
}

/** The instant at which New York's clock shows a time (ms after midnight, 04:00 or later) of a date. */
function newYorkClock(day: number, time: number): number {
  return day + time - newYorkOffsetMs(day + DAY / 2);
}
