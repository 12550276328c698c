import { atr } from "./atr.ts";
import { ema } from "./ema.ts";
import type { Series } from "./series.ts";

/**
 * Keltner channel in price units: the EMA of the close over `period` bars, with lines `k` average true ranges of
 * `atrPeriod` bars above and below it. The middle is NaN for the first `period - 1` bars; the lines are also NaN while
 * the ATR is.
 * @see Chester Keltner, "How to Make Money in Commodities" (1960), in Linda Raschke's form
 * @throws RangeError if a period is not an integer of at least 1 or the columns differ in length
 */
export function keltner(
  high: Series,
  low: Series,
  close: Series,
  period = 20,
  k = 2,
  atrPeriod = 10,
): { readonly upper: Series; readonly middle: Series; readonly lower: Series } {
  const upper = atr(high, low, close, atrPeriod);
  const middle = ema(close, period);
  const lower = new Float64Array(close.length);
  for (let i = 0; i < lower.length; i++) {
    const half = k * upper[i]!;
    upper[i] = middle[i]! + half;
    lower[i] = middle[i]! - half;
  }
  return { upper, middle, lower };
}
