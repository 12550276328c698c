import type { Bars } from "../../domain/market/bars.ts";
import { atr } from "../indicators/atr.ts";
import { negated } from "../indicators/series.ts";
import { type Pivot, zigzag } from "../levels/zigzag.ts";
import type { PatternId } from "./definitions.ts";

/**
 * Bars in the view of one side: unchanged for bullish patterns, with every price negated for their bearish mirror
 * images, so that one rule finds both.
 */
export interface PatternView {
  readonly sign: 1 | -1;
  readonly length: number;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  /** ATR14; NaN during warm-up and after a bar with a value that is not a number. */
  readonly atr: Float64Array;
  /** Turns of 3 ATR14, each with the bar at which it was known. */
  readonly swings: readonly Pivot[];
}

/** One pattern found by a rule, in the prices of its view. */
export interface PatternMatch {
  readonly bullish: PatternId;
  readonly bearish: PatternId;
  /** First bar of the pattern. */
  readonly from: number;
  /** Bar at whose close the pattern was complete. */
  readonly confirmedAt: number;
  /** Price below which a later close voids it. */
  readonly floor: number;
  /** Price whose crossing confirmed the pattern; null for candles, which need no crossing. */
  readonly level: number | null;
}

/** Returns the bullish and the bearish view of the bars. */
export function viewsOf(bars: Bars): readonly [PatternView, PatternView] {
  const { open, high, low, close } = bars;
  const length = close.length;
  const ranges = atr(high, low, close);
  const shared = { length, atr: ranges };
  const [down, up] = [negated(low), negated(high)];
  return [
    { ...shared, sign: 1, open, high, low, close, swings: zigzag(high, low, ranges) },
    {
      ...shared,
      sign: -1,
      open: negated(open),
      high: down,
      low: up,
      close: negated(close),
      swings: zigzag(down, up, ranges),
    },
  ];
}

/** Returns the lowest low between two bars, both included. */
export function lowestLow({ low }: PatternView, from: number, to: number): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (let bar = from; bar <= to; bar++) if (low[bar]! < lowest) lowest = low[bar]!;
  return lowest;
}
