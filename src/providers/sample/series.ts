import {
  type Bar,
  type Bars,
  type BarTimeframe,
  barColumns,
  sliceBars,
  TIMEFRAME_MS,
  weekStart,
} from "../../domain/market/bars.ts";
import { isBusy, yieldToEventLoop } from "../../lib/event-loop.ts";
import { DAY_TICKS, TICK_MS } from "./intraday.ts";
import type { Recording, Tape } from "./recordings.ts";
import { DAY_MS, dayAt, EPOCH, startOf } from "./time.ts";

/** Start of the first complete week, epoch ms; the market starts on a Sunday. */
const FIRST_WEEK = weekStart(EPOCH - 1) + TIMEFRAME_MS["1w"];

/**
 * Returns the newest `limit` bars of a recording that had closed by `end` (epoch ms); empty without a recording. Gives
 * way to other events between days, because simulating them takes time.
 */
export async function closedBars(
  recording: Recording | null,
  timeframe: BarTimeframe,
  limit: number,
  end: number,
): Promise<Bars> {
  if (timeframe === "1w") return closedWeeks(recording, limit, end);
  const length = TIMEFRAME_MS[timeframe];
  const perDay = DAY_MS / length;
  const size = DAY_TICKS / perDay;
  const closed = recording === null ? 0 : Math.max(0, Math.floor((end - EPOCH) / length));
  const first = Math.max(0, closed - Math.max(0, Math.floor(limit)));
  const column = () => new Float64Array(closed - first);
  const [time, open, high, low, close, volume] = [column(), column(), column(), column(), column(), column()];
  if (recording !== null && closed > first) {
    const { path, tape } = recording;
    while (!path.extend(Math.floor((closed - 1) / perDay))) if (isBusy()) await yieldToEventLoop();
    for (let bar = first; bar < closed; bar++) {
      if (isBusy()) await yieldToEventLoop();
      const from = (bar % perDay) * size;
      const span = tape(Math.floor(bar / perDay), from, from + size);
      const row = bar - first;
      time[row] = EPOCH + bar * length;
      open[row] = span.open;
      high[row] = span.high;
      low[row] = span.low;
      close[row] = span.close;
      volume[row] = span.volume;
    }
  }
  return { time, open, high, low, close, volume, timeframe, adjustment: "raw", zone: "UTC" };
}

/** Returns the newest `limit` weeks, Monday to Sunday, that had closed by `end` (epoch ms). */
async function closedWeeks(recording: Recording | null, limit: number, end: number): Promise<Bars> {
  const weeks = Math.min(limit, Math.floor((weekStart(end) - FIRST_WEEK) / TIMEFRAME_MS["1w"]));
  const daily = await closedBars(recording, "1d", 7 * Math.max(0, weeks), Math.max(EPOCH, weekStart(end)));
  const rows: Bar[] = [];
  for (let day = 0; day + 7 <= daily.time.length; day += 7)
    rows.push(mergeRows(sliceBars(daily, day, day + 7)));
  return barColumns(rows, { timeframe: "1w", adjustment: daily.adjustment, zone: daily.zone });
}

/** Returns at least one bar merged to a longer one. */
const mergeRows = ({ time, open, high, low, close, volume }: Bars): Bar => ({
  time: time[0]!,
  open: open[0]!,
  high: Math.max(...high),
  low: Math.min(...low),
  close: close.at(-1)!,
  volume: volume.reduce((sum, units) => sum + units, 0),
});

/** Returns the bar that is forming at `now`, built from completed ticks; null before its first tick is complete. */
export function formingBar(tape: Tape | null, timeframe: BarTimeframe, now: number): Bar | null {
  if (timeframe === "1w") return formingWeek(tape, now);
  const length = TIMEFRAME_MS[timeframe];
  const time = EPOCH + Math.floor((now - EPOCH) / length) * length;
  const day = dayAt(now);
  const from = (time - startOf(day)) / TICK_MS;
  const to = Math.floor((now - startOf(day)) / TICK_MS);
  if (tape === null || day < 0 || to <= from) return null;
  return { time, ...tape(day, from, to) };
}

/**
 * Returns the week that is forming at `now`; null before its first tick is complete, and in the days before the first
 * week.
 */
function formingWeek(tape: Tape | null, now: number): Bar | null {
  const monday = weekStart(now);
  if (tape === null || monday < FIRST_WEEK) return null;
  const rows: Bar[] = [];
  for (let at = monday; at < startOf(dayAt(now)); at += DAY_MS)
    rows.push({ time: at, ...tape(dayAt(at), 0, DAY_TICKS) });
  const today = formingBar(tape, "1d", now);
  if (today !== null) rows.push(today);
  return rows.length === 0
    ? null
    : mergeRows(barColumns(rows, { timeframe: "1d", adjustment: "raw", zone: "UTC" }));
}

/** The newest completed tick: its day, the number of completed ticks of that day, and its end, epoch ms. */
export interface NewestTick {
  readonly day: number;
  readonly to: number;
  readonly at: number;
}

/** Returns the newest tick that is complete at `now`; null before the first one. */
export function newestTick(now: number): NewestTick | null {
  const over = Math.floor((now - EPOCH) / TICK_MS);
  if (over < 1) return null;
  // at midnight, the newest tick is the last one of the previous day
  const day = Math.floor((over - 1) / DAY_TICKS);
  return { day, to: over - day * DAY_TICKS, at: EPOCH + over * TICK_MS };
}
