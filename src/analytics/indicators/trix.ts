import { ema } from "./ema.ts";
import { checkPeriod, nanSeries, type Series } from "./series.ts";

/**
 * TRIX: one-bar change in percent of the close, smoothed by three EMAs of `period` bars. The second and third EMA
 * start from the seed of the first, so that only the first `period` bars are NaN.
 * @see Jack Hutson, "Good TRIX" (1983)
 * @throws RangeError if the period is not an integer of at least 1
 */
export function trix(close: Series, period = 14): Series {
  checkPeriod("trix", period);
  const out = nanSeries(close.length);
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
