import { pastWindows } from "../../../src/analytics/odds/past-windows.ts";
import { crps } from "../../../src/analytics/odds/scores.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";

/** Base of comparisons at a bar: the symbol's past windows of one length that have ended by it. */
export interface BaseRecord {
  /** Adds the windows that end at or before a bar; bars ascend from call to call. */
  advance(bar: number): void;
  /** Returns the continuous ranked probability score of the log returns of all windows so far. */
  crps(happened: number): number;
  /** Returns the share of windows that touched a level, by its index. */
  touch(level: number): number;
  /** Returns the share of windows with a higher close. */
  rise(): number;
}

/** Returns the base of overlapping windows, one from each bar; it grows bar by bar and reads no later bar. */
export function baseRecord(bars: Bars, horizon: number, levels: readonly number[]): BaseRecord {
  const { close, high, low } = pastWindows(bars, horizon);
  const sorted = new Float64Array(close.length);
  const touched = levels.map(() => 0);
  let [count, rises] = [0, 0];
  return {
    advance(bar) {
      for (; count < close.length && count + horizon <= bar; count++) {
        const change = close[count]!;
        const place = firstAbove(sorted, count, change);
        sorted.copyWithin(place + 1, place, count);
        sorted[place] = change;
        if (change > 0) rises++;
        for (const [i, level] of levels.entries())
          if (level > 0 ? high[count]! >= level : low[count]! <= level) touched[i]!++;
      }
    },
    crps: (happened) => crps(sorted.subarray(0, count), happened),
    touch: (level) => touched[level]! / count,
    rise: () => rises / count,
  };
}

/** Returns the index of the first of `count` ascending values that is above a value. */
function firstAbove(sorted: Float64Array, count: number, value: number): number {
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]! <= value) from = middle + 1;
    else to = middle;
  }
  return from;
}
