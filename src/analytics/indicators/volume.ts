import { rollingSum } from "./rolling.ts";
import { checkAligned, checkPeriod, type Series } from "./series.ts";

/**
 * On-balance volume in units of volume: volume added on rising closes, taken off on falling ones, from 0 on
 * the first bar. Only its changes mean anything. No warm-up.
 * @see Joseph Granville, "New Key to Stock Market Profits" (1963)
 * @throws RangeError on columns of different lengths
 */
export function obv(close: Series, volume: Series): Series {
  checkAligned("obv", close, volume);
  const out = new Float64Array(close.length);
  for (let i = 1; i < out.length; i++)
    out[i] = out[i - 1]! + Math.sign(close[i]! - close[i - 1]!) * volume[i]!;
  return out;
}

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

/**
 * Money flow index, 0-100: the share of the last `period` bars' turnover that came with a rising typical
 * price. 50 where the typical price never moved; NaN for the first `period` bars and where nothing traded.
 * @see Gene Quong and Avrum Soudack, "Volume-Weighted RSI: Money Flow" (1989)
 * @throws RangeError on a period that cannot average anything or columns of different lengths
 */
export function mfi(high: Series, low: Series, close: Series, volume: Series, period = 14): Series {
  checkPeriod("mfi", period);
  checkAligned("mfi", high, low, close, volume);
  const up = new Float64Array(close.length).fill(Number.NaN, 0, 1);
  const down = new Float64Array(close.length).fill(Number.NaN, 0, 1);
  for (let i = 1; i < up.length; i++) {
    const price = typical(high, low, close, i);
    const before = typical(high, low, close, i - 1);
    if (price > before) up[i] = price * volume[i]!;
    if (price < before) down[i] = price * volume[i]!;
  }
  const traded = rollingSum(volume, period);
  const gained = rollingSum(up, period);
  const lost = rollingSum(down, period);
  for (let i = 0; i < gained.length; i++) {
    const moved = gained[i]! + lost[i]!;
    if (traded[i] === 0) gained[i] = Number.NaN;
    else gained[i] = moved === 0 ? 50 : 100 * (gained[i]! / moved);
  }
  return gained;
}

const typical = (high: Series, low: Series, close: Series, i: number) => (high[i]! + low[i]! + close[i]!) / 3;
