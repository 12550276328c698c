import { newYorkDay, newYorkOffsetMs } from "../../lib/newyork.ts";
import { tradingDay } from "./holidays.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PRE_OPEN = 4 * HOUR;
const OPEN = 9 * HOUR + 30 * MINUTE;
const POST_CLOSE = { full: 20 * HOUR, half: 17 * HOUR } as const;
/** Time of a close, ms after midnight in New York. */
export const CLOSE = { full: 16 * HOUR, half: 13 * HOUR } as const;

/** Trading hours of US equities on one date, epoch ms. */
export interface TradingHours {
  readonly preOpen: number;
  readonly open: number;
  readonly close: number;
  readonly postClose: number;
}

/** Returns the trading hours of a date (its 00:00 UTC, epoch ms); null if there is no session. */
export function hoursOf(day: number): TradingHours | null {
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

/** Returns the state of US exchanges at a time: pre from 04:00, regular from 09:30, post until four hours after the close (New York time). */
export function exchangeStateAt(epochMs: number): "pre" | "regular" | "post" | "closed" {
  const hours = hoursOf(newYorkDay(epochMs));
  if (hours === null || epochMs < hours.preOpen || epochMs >= hours.postClose) return "closed";
  if (epochMs < hours.open) return "pre";
  return epochMs < hours.close ? "regular" : "post";
}

/** Returns the epoch ms of a New York wall-clock time (ms after midnight, 04:00 or later) on a date. */
export function newYorkClock(day: number, time: number): number {
  return day + time - newYorkOffsetMs(day + DAY / 2);
}
