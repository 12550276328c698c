import { type Bar, type Bars, barColumns, barRows } from "../../domain/market/bars.ts";
import type { BarSeries } from "../../domain/market/market.ts";
import type { BarHistory } from "../../domain/ports.ts";
import { barCloseMs } from "../calendar/calendar.ts";

const DAY = 86_400_000;
/** 00:00 UTC of a Monday. */
const A_MONDAY = 4 * DAY;
const WEEK = 7 * DAY;

/** Returns the 00:00 UTC of the Monday on or before a time, epoch ms. */
const mondayOf = (time: number): number => Math.floor((time - A_MONDAY) / WEEK) * WEEK + A_MONDAY;

/**
 * Returns a history with weekly bars built from its daily ones: Monday to Friday for stocks and funds, Monday to Sunday
 * UTC for markets that never close. A weekly bar carries the 00:00 UTC of its Monday. It is closed once the daily bars
 * reach its last session; the days of the unfinished week are its forming bar.
 */
export const withWeeklyBars = ({ history }: BarHistory): BarHistory => ({
  async history(instrument, request) {
    if (request.timeframe !== "1w") return history(instrument, request);
    // one week more, of which the first days may lie before the requested ones, and one for the unfinished week
    const limit = (request.limit + 2) * 7;
    const daily = await history(instrument, { ...request, timeframe: "1d", limit });
    return weeklySeries(daily, { limit: request.limit, isCut: daily.bars.time.length >= limit });
  },
});

/**
 * Returns the newest `limit` weeks of daily bars. `isCut` says that there may be earlier days, so that the first week is
 * left out unless it begins on its Monday.
 */
function weeklySeries(
  daily: BarSeries,
  { limit, isCut }: { readonly limit: number; readonly isCut: boolean },
): BarSeries {
  const { bars, as_of: dailyAsOf } = daily;
  const weeks = weeksOf(bars);
  if (isCut && bars.time[0] !== weeks[0]?.time) weeks.shift();
  const until = dailyAsOf === null ? Number.NEGATIVE_INFINITY : Date.parse(dailyAsOf);
  const closed = weeks.filter(({ time }) => barCloseMs(time, "1w", bars.zone) <= until);
  const { adjustment, zone } = bars;
  const newest = barColumns(closed.slice(-limit), { timeframe: "1w", adjustment, zone });
  const last = newest.time.at(-1);
  return {
    ...daily,
    bars: newest,
    forming: formingWeek(weeks[closed.length], daily.forming),
    as_of: last === undefined ? null : new Date(barCloseMs(last, "1w", bars.zone)).toISOString(),
  };
}

/** Returns the weeks of daily bars, oldest first, including unfinished ones. */
function weeksOf(bars: Bars): Bar[] {
  const weeks: Bar[] = [];
  for (const bar of barRows(bars)) {
    const day = { ...bar, time: mondayOf(bar.time) };
    const week = weeks.at(-1);
    if (week?.time === day.time) weeks[weeks.length - 1] = merged(week, day);
    else weeks.push(day);
  }
  return weeks;
}

const merged = (week: Bar, day: Bar): Bar => ({
  time: week.time,
  open: week.open,
  high: Math.max(week.high, day.high),
  low: Math.min(week.low, day.low),
  close: day.close,
  volume: week.volume + day.volume,
});

/** Returns the unfinished week with the day that is forming; null without either. */
function formingWeek(week: Bar | undefined, day: Bar | null): Bar | null {
  if (day === null) return week ?? null;
  const today = { ...day, time: mondayOf(day.time) };
  return week?.time === today.time ? merged(week, today) : today;
}
