import { type Bar, type Bars, TIMEFRAME_MS, type Timeframe } from "../../domain/market/bars.ts";
import { isBusy, yieldToEventLoop } from "../../lib/event-loop.ts";
import { DAY_TICKS, TICK_MS } from "./intraday.ts";
import type { Recording, Tape } from "./recordings.ts";
import { DAY_MS, dayAt, EPOCH, startOf } from "./time.ts";

/**
 * Returns the newest `limit` bars of a recording that had closed by `end` (epoch ms); empty without a recording. Gives
 * way to other events between days, because simulating them takes time.
 */
export async function closedBars(
  recording: Recording | null,
  timeframe: Timeframe,
  limit: number,
  end: number,
): Promise<Bars> {
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

/** Returns the bar that is forming at `now`, built from completed ticks; null before its first tick is complete. */
export function formingBar(tape: Tape | null, timeframe: Timeframe, now: number): Bar | null {
  const length = TIMEFRAME_MS[timeframe];
  const time = EPOCH + Math.floor((now - EPOCH) / length) * length;
  const day = dayAt(now);
  const from = (time - startOf(day)) / TICK_MS;
  const to = Math.floor((now - startOf(day)) / TICK_MS);
  if (tape === null || day < 0 || to <= from) return null;
  return { time, ...tape(day, from, to) };
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
