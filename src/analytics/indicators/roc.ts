import { ema } from "./averages.ts";
import { checkPeriod, type Series, unknown } from "./series.ts";

/**
 * Rate of change in percent over `period` bars. NaN for the first `period` bars and where the earlier value
 * is 0.
 * @throws RangeError on a period under one bar
 */
export function roc(x: Series, period: number): Series {
  checkPeriod("roc", period);
  const out = new Float64Array(x.length);
  for (let i = period; i < x.length; i++) {
    const before = x[i - period]!;
    out[i] = before === 0 ? Number.NaN : (100 * (x[i]! - before)) / before;
  }
  return out.fill(Number.NaN, 0, period);
}

/**
 * TRIX: one-bar change in percent of the close smoothed by three EMAs of `period` bars. The second and third
 * start from the first one's seed, so that only the first `period` bars are NaN.
 * @see Jack Hutson, "Good TRIX" (1983)
 * @throws RangeError on a period that cannot average anything
 */
export function trix(close: Series, period = 14): Series {
  checkPeriod("trix", period);
  const out = unknown(close.length);
  const first = ema(close, period);
  const weight = 2 / (period + 1);
  let second = first[period - 1]!;
  let third = second;
  for (let i = period; i < close.length; i++) {
    second += (first[i]! - second) * weight;
    const step = (second - third) * weight;
    out[i] = (100 * step) / third;
    third += step;
  }
  return out;
}
