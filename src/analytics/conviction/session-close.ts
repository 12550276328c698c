import { type Bars, TIMEFRAME_MS } from "../../domain/market/bars.ts";
import { newYorkDay, newYorkOffsetMs } from "../../lib/newyork.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** New York's regular session, in ms after local midnight. */
const OPEN = 9.5 * HOUR;
const CLOSE = 16 * HOUR;
/** New York's offset behind UTC. */
const SUMMER = 4 * HOUR;
const WINTER = 5 * HOUR;

/**
 * Returns when the last bar closed by regular hours, epoch ms: New York bars end by 16:00 local time; half days are
 * not considered. Data reported later was unknown at the decision. NaN without bars.
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
 * Returns the index of the first bar that starts at or after an instant (epoch ms), or the number of bars if none
 * does. Searches from index `start`, for callers with ascending instants.
 */
export function firstBarFrom({ time, timeframe, zone }: Bars, instant: number, start = 0): number {
  const earliest = timeframe === "1d" && zone !== "UTC" ? nextSession(instant) : instant;
  let bar = start;
  while (bar < time.length && time[bar]! < earliest) bar++;
  return bar;
}

/**
 * Returns 00:00 UTC of the first New York date whose session opens at or after an instant, which is the timestamp of
 * its daily bar.
 */
function nextSession(instant: number): number {
  const day = Math.floor(instant / DAY) * DAY;
  const clock = instant - day;
  if (clock <= OPEN + SUMMER) return day;
  if (clock > OPEN + WINTER) return day + DAY;
  return clock <= OPEN - newYorkOffsetMs(instant) ? day : day + DAY;
}

/** Shift at which no New York session, extended hours included, crosses midnight. */
const NEW_YORK_NIGHT = 5 * HOUR;
const DAYS = 20;

/**
 * Returns a function that gives the average daily notional (close x volume) of up to 20 complete days known at the
 * close of a bar. With intraday bars, the first day, which may be partial, and the bar's own day do not count. NaN
 * before the first day, and if nothing traded.
 */
export function averageDayNotional(bars: Bars): (bar: number) => number {
  const { totals, complete, first } = bars.timeframe === "1d" ? daily(bars) : intraday(bars);
  return (bar) => {
    const end = complete(bar);
    const start = Math.max(first, end - DAYS);
    let sum = 0;
    for (let day = start; day < end; day++) sum += totals[day]!;
    return sum > 0 ? sum / (end - start) : Number.NaN;
  };
}

interface Days {
  readonly totals: ArrayLike<number>;
  /** Returns the number of days complete at the close of a bar. */
  readonly complete: (bar: number) => number;
  /** Index of the first day that counts. */
  readonly first: number;
}

function daily({ close, volume }: Bars): Days {
  const totals = new Float64Array(close.length);
  for (let bar = 0; bar < totals.length; bar++) totals[bar] = close[bar]! * volume[bar]!;
  return { totals, complete: (bar) => bar + 1, first: 0 };
}

function intraday({ time, close, volume, zone }: Bars): Days {
  const night = zone === "UTC" ? 0 : NEW_YORK_NIGHT;
  const totals: number[] = [];
  const dayOf = new Int32Array(time.length);
  for (let bar = 0, date = Number.NaN; bar < time.length; bar++) {
    const own = Math.floor((time[bar]! - night) / DAY);
    if (own !== date) totals.push(0);
    date = own;
    dayOf[bar] = totals.length - 1;
    totals[totals.length - 1]! += close[bar]! * volume[bar]!;
  }
  return { totals, complete: (bar) => dayOf[bar] ?? 0, first: 1 };
}
