import { rollingSum } from "./rolling.ts";
import { checkAligned, checkPeriod, type Series } from "./series.ts";

/**
 * Chaikin money flow, -1 to 1: the volume of the last `period` bars weighted by the position of each close within its
 * bar's range (0 for a bar without range). NaN for the first `period - 1` bars and if nothing traded.
 * @see Marc Chaikin, "Chaikin Money Flow"
 * @throws RangeError if the period is not an integer of at least 1 or the columns differ in length
 */
export function cmf(high: Series, low: Series, close: Series, volume: Series, period = 20): Series {
  checkPeriod("cmf", period);
  checkAligned("cmf", high, low, close, volume);
  const flow = new Float64Array(close.length);
  for (let i = 0; i < flow.length; i++) {
    const range = high[i]! - low[i]!;
    flow[i] = range === 0 ? 0 : ((close[i]! - low[i]! - (high[i]! - close[i]!)) / range) * volume[i]!;
  }
  const out = rollingSum(flow, period);
  const traded = rollingSum(volume, period);
  for (let i = 0; i < out.length; i++) out[i]! /= traded[i]!;
  return out;
}
