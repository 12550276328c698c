import type { Bars } from "../../domain/market/bars.ts";
import type { PathPlan } from "./paths.ts";

type Prices = Pick<Bars, "open" | "high" | "low" | "close">;

/** Past windows of one length, one from each bar of the series that has enough bars after it, oldest first. */
export interface PastWindows {
  /** Logs of the ratio to the close from which the window starts. */
  readonly close: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
}

/** Returns close, highest high and lowest low of the `horizon` bars after every bar: the base with which odds are compared. */
export function pastWindows({ high, low, close }: Prices, horizon: number): PastWindows {
  const count = Math.max(0, close.length - horizon);
  const windows = {
    close: new Float64Array(count),
    high: new Float64Array(count),
    low: new Float64Array(count),
  };
  // indexes of the falling highs and of the rising lows of the current window, newest last
  const highIndexes = new Int32Array(close.length);
  const lowIndexes = new Int32Array(close.length);
  let [highStart, highEnd, lowStart, lowEnd] = [0, 0, 0, 0];
  for (let bar = 1; bar < close.length; bar++) {
    while (highEnd > highStart && high[highIndexes[highEnd - 1]!]! <= high[bar]!) highEnd--;
    highIndexes[highEnd++] = bar;
    while (lowEnd > lowStart && low[lowIndexes[lowEnd - 1]!]! >= low[bar]!) lowEnd--;
    lowIndexes[lowEnd++] = bar;
    const from = bar - horizon;
    if (from < 0) continue;
    while (highIndexes[highStart]! <= from) highStart++;
    while (lowIndexes[lowStart]! <= from) lowStart++;
    const before = close[from]!;
    windows.close[from] = Math.log(close[bar]! / before);
    windows.high[from] = Math.log(high[highIndexes[highStart]!]! / before);
    windows.low[from] = Math.log(low[lowIndexes[lowStart]!]! / before);
  }
  return windows;
}

/** Base rates of a plan: shares of past windows, 0-1, that add up to 1. */
export interface PastPlanOutcomes {
  readonly stop: number;
  readonly target: number;
  readonly neither: number;
  /** Number of windows; they overlap. */
  readonly windows: number;
  /** Mean result in R. */
  readonly meanR: number;
}

/**
 * Returns the outcomes of a plan at the same relative distances from every past close that has `bars` bars after it, by
 * the rules of `simulatePaths`; null if there is no such close.
 */
export function pastPlanOutcomes(
  { open, high, low, close }: Prices,
  { side, stop, target }: PathPlan,
  bars: number,
): PastPlanOutcomes | null {
  const windows = close.length - bars;
  if (windows <= 0) return null;
  let [stopped, reached, sumR] = [0, 0, 0];
  const away = side === "LONG" ? 1 : -1;
  const [atStop, atTarget] = [Math.exp(stop), Math.exp(target)];
  for (let from = 0; from < windows; from++) {
    const [stopPrice, targetPrice] = [close[from]! * atStop, close[from]! * atTarget];
    let exit = close[from + bars]!;
    for (let bar = from + 1; bar <= from + bars; bar++) {
      const isStop = side === "LONG" ? low[bar]! <= stopPrice : high[bar]! >= stopPrice;
      const isTarget = side === "LONG" ? high[bar]! >= targetPrice : low[bar]! <= targetPrice;
      if (!isStop && !isTarget) continue;
      const gapsToTarget = side === "LONG" ? open[bar]! >= targetPrice : open[bar]! <= targetPrice;
      const isStopped = isStop && !gapsToTarget;
      if (isStopped) stopped++;
      else reached++;
      const level = isStopped ? stopPrice : targetPrice;
      // an open beyond a level exits there
      exit = away * (isStopped ? -1 : 1) * (open[bar]! - level) > 0 ? open[bar]! : level;
      break;
    }
    sumR += (away * (exit - close[from]!)) / Math.abs(close[from]! - stopPrice);
  }
  return {
    stop: stopped / windows,
    target: reached / windows,
    neither: (windows - stopped - reached) / windows,
    windows,
    meanR: sumR / windows,
  };
}
