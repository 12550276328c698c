import type { Bars } from "../../domain/market/bars.ts";
import type { PathPlan } from "./paths.ts";

type Prices = Pick<Bars, "open" | "high" | "low" | "close">;

/** Past windows of one length, one from each bar of the series that has enough bars after it, oldest first. */
export interface OwnWindows {
  /** Logs of the ratio to the close from which the window starts. */
  readonly close: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
}

/** Returns what happened in the `horizon` bars after every bar: the base with which odds are compared. */
export function ownWindows({ high, low, close }: Prices, horizon: number): OwnWindows {
  const count = Math.max(0, close.length - horizon);
  const windows = {
    close: new Float64Array(count),
    high: new Float64Array(count),
    low: new Float64Array(count),
  };
  // indexes of falling highs and rising lows of the current window, newest last
  const tops = new Int32Array(close.length);
  const floors = new Int32Array(close.length);
  let [topStart, topEnd, floorStart, floorEnd] = [0, 0, 0, 0];
  for (let bar = 1; bar < close.length; bar++) {
    while (topEnd > topStart && high[tops[topEnd - 1]!]! <= high[bar]!) topEnd--;
    tops[topEnd++] = bar;
    while (floorEnd > floorStart && low[floors[floorEnd - 1]!]! >= low[bar]!) floorEnd--;
    floors[floorEnd++] = bar;
    const from = bar - horizon;
    if (from < 0) continue;
    while (tops[topStart]! <= from) topStart++;
    while (floors[floorStart]! <= from) floorStart++;
    const before = close[from]!;
    windows.close[from] = Math.log(close[bar]! / before);
    windows.high[from] = Math.log(high[tops[topStart]!]! / before);
    windows.low[from] = Math.log(low[floors[floorStart]!]! / before);
  }
  return windows;
}

/** Shares of past windows, 0-1; null without any window. */
export interface OwnPlanOutcomes {
  readonly stop: number;
  readonly target: number;
  readonly neither: number;
  readonly windows: number;
}

/**
 * Returns how a plan at the same relative distances would have ended from every past close that has `bars` bars after
 * it, with the rules of `simulatePaths`; null if there is none.
 */
export function ownPlanOutcomes(
  { open, high, low, close }: Prices,
  { side, stop, target }: PathPlan,
  bars: number,
): OwnPlanOutcomes | null {
  const windows = close.length - bars;
  if (windows <= 0) return null;
  let [stopped, reached] = [0, 0];
  const [atStop, atTarget] = [Math.exp(stop), Math.exp(target)];
  for (let from = 0; from < windows; from++) {
    const [stopPrice, targetPrice] = [close[from]! * atStop, close[from]! * atTarget];
    for (let bar = from + 1; bar <= from + bars; bar++) {
      const isStop = side === "LONG" ? low[bar]! <= stopPrice : high[bar]! >= stopPrice;
      const isTarget = side === "LONG" ? high[bar]! >= targetPrice : low[bar]! <= targetPrice;
      if (!isStop && !isTarget) continue;
      const gapsToTarget = side === "LONG" ? open[bar]! >= targetPrice : open[bar]! <= targetPrice;
      if (isStop && !gapsToTarget) stopped++;
      else reached++;
      break;
    }
  }
  return {
    stop: stopped / windows,
    target: reached / windows,
    neither: (windows - stopped - reached) / windows,
    windows,
  };
}
