import { type BarTimeframe, type SessionZone, TIMEFRAME_MS } from "../../domain/market/bars.ts";
import type { BarSeries } from "../../domain/market/market.ts";
import { barCloseMs, sessionOn } from "../../market/calendar/calendar.ts";

const DAY = 86_400_000;

/** Opening and closing times of the bars of a series, epoch ms; `time` as in `Bars`. */
export interface BarHours {
  opensAt(time: number): number;
  closesAt(time: number): number;
}

/**
 * Returns the hours of the bars of a series: those of the calendar, the full length of a bar, or those with extended
 * hours, whichever match its `as_of`; null if none does, and without bars.
 */
export function barHours({ bars: { time, timeframe, zone }, as_of }: BarSeries): BarHours | null {
  const last = time.at(-1);
  if (last === undefined || as_of === null) return null;
  const end = Date.parse(as_of);
  return rulesFor(timeframe, zone).find(({ closesAt }) => closesAt(last) === end) ?? null;
}

const rulesFor = (timeframe: BarTimeframe, zone: SessionZone): readonly BarHours[] => [
  {
    opensAt: (time) => (timeframe === "1d" && zone !== "UTC" ? (sessionOn(time)?.open ?? time) : time),
    closesAt: (time) => barCloseMs(time, timeframe, zone),
  },
  { opensAt: (time) => time, closesAt: (time) => time + TIMEFRAME_MS[timeframe] },
  { opensAt: (time) => time, closesAt: (time) => barCloseMs(time, timeframe, zone, "extended") },
];

/** Yields the dates (00:00 UTC) and closes of the daily bars of a series that open at a time or later, all in epoch ms. */
export function* comingBars(
  { bars: { time, zone } }: BarSeries,
  { opensAt, closesAt }: BarHours,
  from: number,
): Generator<{ readonly day: number; readonly close: number }, never> {
  for (let day = (time.at(-1) ?? 0) + DAY; ; day += DAY) {
    const isTraded = zone === "UTC" || sessionOn(day) !== null;
    if (isTraded && opensAt(day) >= from) yield { day, close: closesAt(day) };
  }
}

/** Returns the opening time of the newest daily bar that has opened by a time, epoch ms. */
export function lastOpening({ bars: { time, zone } }: BarSeries, { opensAt }: BarHours, at: number): number {
  let last = time.at(-1) ?? 0;
  for (let day = last + DAY; opensAt(day) <= at; day += DAY)
    if (zone === "UTC" || sessionOn(day) !== null) last = day;
  return opensAt(last);
}
