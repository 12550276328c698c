import { checkAligned, checkPeriod, type Series } from "./series.ts";
import { sma } from "./sma.ts";

/**
 * Commodity channel index: distance of the typical price from its mean over `period` bars, divided by .015 times the
 * mean absolute deviation, so that most values lie within +-100. 0 in a constant window; NaN for the first `period - 1`
 * bars.
 * @see Donald Lambert, "Commodity Channel Index: Tool for Trading Cyclic Trends" (1980)
 * @throws RangeError if the period is not an integer of at least 1 or the columns differ in length
 */
export function cci(high: Series, low: Series, close: Series, period = 20): Series {
  checkPeriod("cci", period);
  checkAligned("cci", high, low, close);
  const typical = new Float64Array(close.length);
  for (let i = 0; i < typical.length; i++) typical[i] = (high[i]! + low[i]! + close[i]!) / 3;
  const out = sma(typical, period);
  for (let i = period - 1; i < out.length; i++) {
    const mean = out[i]!;
    let spread = 0;
    for (let j = i - period + 1; j <= i; j++) spread += Math.abs(typical[j]! - mean);
    out[i] = spread === 0 ? 0 : (typical[i]! - mean) / ((0.015 * spread) / period);
  }
  return out;
}
