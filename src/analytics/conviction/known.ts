import { type Bars, TIMEFRAME_MS } from "../../domain/market/bars.ts";
import { newYorkDay, newYorkOffsetMs } from "../../lib/newyork.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** New York's regular session, after midnight. */
const OPEN = 9.5 * HOUR;
const CLOSE = 16 * HOUR;
/** How far it is behind UTC. */
const SUMMER = 4 * HOUR;
const WINTER = 5 * HOUR;

/**
 * When the last bar closed by the usual hours, epoch ms: New York's bars end by 16:00 there, and on half days, which
 * only a calendar knows, earlier. What was reported later was not known at the decision; NaN without bars.
 */
export function lastClose({ time, timeframe, zone }: Bars): number {
  const start = time[time.length - 1] ?? Number.NaN;
  const end = start + TIMEFRAME_MS[timeframe];
  if (zone === "UTC" || Number.isNaN(start)) return end;
  const day = timeframe === "1d" ? start : newYorkDay(start);
  const close = day + CLOSE - newYorkOffsetMs(day + DAY / 2);
  return timeframe === "1d" || start < close ? Math.min(end, close) : end;
}

/**
 * Index of the first bar that starts at or after an instant (epoch ms), their number if none does; searched from
 * `start` on, for instants that ascend.
 */
export function firstBarFrom({ time, timeframe, zone }: Bars, instant: number, start = 0): number {
  const earliest = timeframe === "1d" && zone !== "UTC" ? nextSession(instant) : instant;
  let bar = start;
  while (bar < time.length && time[bar]! < earliest) bar++;
  return bar;
}

/** 00:00 UTC of the first New York date whose session opens at or after an instant, as daily bars are stamped. */
function nextSession(instant: number): number {
  const day = Math.floor(instant / DAY) * DAY;
  const clock = instant - day;
  if (clock <= OPEN + SUMMER) return day;
  if (clock > OPEN + WINTER) return day + DAY;
  return clock <= OPEN - newYorkOffsetMs(instant) ? day : day + DAY;
}
