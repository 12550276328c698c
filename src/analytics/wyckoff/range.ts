import type { View } from "./view.ts";

/** A span of bars, `first` and `last` included, with its extreme prices. */
export interface Range {
  readonly low: number;
  readonly high: number;
  readonly first: number;
  readonly last: number;
}

/** Trend before a range, in the view of its own side. */
export type Context = "after_decline" | "after_advance" | "none";

const MIN_RANGE_BARS = 20;
const MAX_RANGE_BARS = 90;
const CONTEXT_BARS = 40; // bars over which the context is measured

/**
 * Returns the trading range that ends with the closed bar `end`: the longest window of 20 to 90 bars with a height of
 * 3 to 9 ATR14 of that bar, at least two touches of each side (within .5 ATR14 of its extreme) 4 or more bars apart,
 * and a regression line of closes that drifts by at most half the height. Null if no window qualifies.
 */
export function tradingRange({ high, low, close, atr }: View, end: number): Range | null {
  const a = atr[end]!;
  if (!(a > 0)) return null;
  const touch = 0.5 * a;
  const oldest = Math.max(0, end - MAX_RANGE_BARS + 1);
  const origin = close[end]!;
  let top = Number.NEGATIVE_INFINITY;
  let bottom = Number.POSITIVE_INFINITY;
  // oldest and newest bar that touches each side
  let firstTop = end;
  let lastTop = end;
  let firstBottom = end;
  let lastBottom = end;
  // closes relative to the last one, and the same weighted by age
  let sum = 0;
  let moment = 0;
  // the longest window found; none while `first` is -1
  let first = -1;
  let lowest = 0;
  let highest = 0;
  for (let bar = end; bar >= oldest; bar--) {
    if (high[bar]! > top) {
      top = high[bar]!;
      while (high[lastTop]! < top - touch) lastTop--;
    }
    if (low[bar]! < bottom) {
      bottom = low[bar]!;
      while (low[lastBottom]! > bottom + touch) lastBottom--;
    }
    const height = top - bottom;
    if (!(height <= 9 * a)) break; // the height only grows
    if (high[bar]! >= top - touch) firstTop = bar;
    if (low[bar]! <= bottom + touch) firstBottom = bar;
    const age = end - bar;
    const step = close[bar]! - origin;
    sum += step;
    moment += age * step;
    const w = age + 1;
    if (w < MIN_RANGE_BARS || height < 3 * a || lastTop - firstTop < 4 || lastBottom - firstBottom < 4)
      continue;
    const drift = (12 * Math.abs(moment - (age / 2) * sum)) / (w * w - 1);
    if (!(drift <= 0.5 * height)) continue;
    first = bar;
    lowest = bottom;
    highest = top;
  }
  return first === -1 ? null : { low: lowest, high: highest, first, last: end };
}

/**
 * Returns the trend before a range, from the change of the close over the 40 bars before its first bar relative to its
 * height.
 */
export function contextOf({ close }: View, first: number, height: number): Context {
  if (first < CONTEXT_BARS) return "none";
  const change = close[first]! - close[first - CONTEXT_BARS]!;
  if (change < -0.75 * height) return "after_decline";
  return change > 0.75 * height ? "after_advance" : "none";
}
