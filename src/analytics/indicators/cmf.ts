import { rollingSum } from "./rolling.ts";
import { checkAligned, checkPeriod, type Series } from "./series.ts";

/**
 * Chaikin money flow, -1 to 1: the volume of the last `period` bars weighed by where each closed in its own
 * range (a bar without range weighs 0). NaN for the first `period - 1` bars and where nothing traded.
 * @see Marc Chaikin, "Chaikin Money Flow"
 * @throws RangeError on a period that cannot average anything or columns of different lengths
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
