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

/** No New York session, early and late trading included, crosses midnight five hours behind UTC. */
const NEW_YORK_NIGHT = 5 * HOUR;
const DAYS = 20;

/**
 * Average daily notional known at the close of a bar: close x volume a day over the last 20 days complete by then,
 * or those there are. Of intraday bars the first day, which may be cut, and the bar's own do not count.
 * NaN before the first day and where nothing traded.
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
  /** Days complete at the close of a bar. */
  readonly complete: (bar: number) => number;
  /** The first day that counts. */
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
