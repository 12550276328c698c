import { checkAligned, type Series } from "./series.ts";

/**
 * True range in price units: the bar's range, extended to include the previous close. NaN on the first bar, which has
 * no previous close.
 * @see J. Welles Wilder, "New Concepts in Technical Trading Systems" (1978)
 * @throws RangeError if the columns differ in length
 */
export function trueRange(high: Series, low: Series, close: Series): Series {
  checkAligned("trueRange", high, low, close);
  const out = new Float64Array(high.length);
  for (let i = 1; i < out.length; i++) {
    const previous = close[i - 1]!;
    out[i] = Math.max(high[i]!, previous) - Math.min(low[i]!, previous);
  }
  return out.fill(Number.NaN, 0, 1);
}
