import { checkAligned, checkPeriod, type Series } from "./series.ts";

/**
 * Average true range in price units: Wilder's average of the true range, seeded with the mean of `period` true ranges
 * from the second bar on. NaN for the first `period` bars.
 * @see J. Welles Wilder, "New Concepts in Technical Trading Systems" (1978)
 * @throws RangeError if the period is not an integer of at least 1 or the columns differ in length
 */
export function atr(high: Series, low: Series, close: Series, period = 14): Series {
  checkPeriod("atr", period);
  checkAligned("atr", high, low, close);
  const out = new Float64Array(high.length);
  let mean = 0;
  for (let i = 1; i < out.length; i++) {
    const previous = close[i - 1]!;
    const range = Math.max(high[i]!, previous) - Math.min(low[i]!, previous);
    mean += (range - mean) * (i < period ? 1 / i : 1 / period);
    out[i] = mean;
  }
  return out.fill(Number.NaN, 0, period);
}
