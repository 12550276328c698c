import type { Bars } from "../../domain/market/bars.ts";
import { atr } from "../indicators/atr.ts";
import { negated } from "../indicators/series.ts";
import { sma } from "../indicators/sma.ts";
import { trueRange } from "../indicators/true-range.ts";

/**
 * Bars as one side sees them: as they are for the buying side, with every price negated for the selling side.
 * One set of rules then finds a Spring in the first and a UTAD in the second, and neither can drift from the other.
 */
export interface View {
  readonly sign: 1 | -1;
  readonly length: number;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  readonly trueRange: Float64Array;
  /** ATR14; NaN in warm-up. */
  readonly atr: Float64Array;
  /** Mean volume of 20 bars, the bar's own among them. */
  readonly meanVolume: Float64Array;
}

/** The buying and the selling side's view of the same bars. */
export function viewsOf(bars: Bars): readonly [View, View] {
  const { high, low, close, volume } = bars;
  const up: View = {
    sign: 1,
    length: close.length,
    high,
    low,
    close,
    volume,
    trueRange: trueRange(high, low, close),
    atr: atr(high, low, close),
    meanVolume: sma(volume, 20),
  };
  return [up, { ...up, sign: -1, high: negated(low), low: negated(high), close: negated(close) }];
}

/** Mean volume of the 20 bars before a bar, which is not measured against itself; NaN where it is not known or 0. */
export function usualVolume(view: View, bar: number): number {
  const mean = view.meanVolume[bar - 1];
  return mean !== undefined && mean > 0 ? mean : Number.NaN;
}

/** A close in the better half of its bar. */
export const closesHigh = ({ high, low, close }: View, bar: number): boolean =>
  close[bar]! >= (high[bar]! + low[bar]!) / 2;

/** First bar from `from` on that closes below a price; null where none does. */
export function firstCloseBelow({ close, length }: View, price: number, from: number): number | null {
  for (let bar = from; bar < length; bar++) if (close[bar]! < price) return bar;
  return null;
}
