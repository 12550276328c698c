import type { Bars } from "../../domain/market/bars.ts";
import { atr } from "../indicators/atr.ts";
import { rollingMin } from "../indicators/rolling.ts";
import { negated } from "../indicators/series.ts";
import { sma } from "../indicators/sma.ts";
import { trueRange } from "../indicators/true-range.ts";

const FLOOR_BARS = 20;

/**
 * Bars in the view of one side: unchanged for the buying side, with every price negated for the selling side. The same
 * rules then find a Spring in the first view and a UTAD in the second, and cannot diverge.
 */
export interface View {
  readonly sign: 1 | -1;
  readonly length: number;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  readonly trueRange: Float64Array;
  /** Lowest low of 20 bars, including the bar itself; NaN for the first 19 bars. */
  readonly floor: Float64Array;
  /** ATR14; NaN during warm-up. */
  readonly atr: Float64Array;
  /** Mean volume of 20 bars, including the bar itself. */
  readonly meanVolume: Float64Array;
}

/** Returns the views of the buying and the selling side. */
export function viewsOf(bars: Bars): readonly [View, View] {
  const { high, low, close, volume } = bars;
  const up: View = {
    sign: 1,
    length: close.length,
    high,
    low,
    close,
    volume,
    floor: rollingMin(low, FLOOR_BARS),
    trueRange: trueRange(high, low, close),
    atr: atr(high, low, close),
    meanVolume: sma(volume, 20),
  };
  const turned = negated(high);
  const floor = rollingMin(turned, FLOOR_BARS);
  return [up, { ...up, sign: -1, high: negated(low), low: turned, close: negated(close), floor }];
}

/** Returns the mean volume of the 20 bars before a bar; NaN if it is unknown or 0. */
export function usualVolume(view: View, bar: number): number {
  const mean = view.meanVolume[bar - 1];
  return mean !== undefined && mean > 0 ? mean : Number.NaN;
}

/** Returns true if a bar closes in the upper half of its range. */
export const closesHigh = ({ high, low, close }: View, bar: number): boolean =>
  close[bar]! >= (high[bar]! + low[bar]!) / 2;

/** Returns the first bar from `from` on that closes below `price`; null if none does. */
export function firstCloseBelow({ close, length }: View, price: number, from: number): number | null {
  for (let bar = from; bar < length; bar++) if (close[bar]! < price) return bar;
  return null;
}
