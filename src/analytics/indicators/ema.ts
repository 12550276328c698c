import { checkPeriod, firstNumber, type Series } from "./series.ts";

/**
 * Exponential moving average with weight 2 / (period + 1), seeded with the mean of the first `period` values. NaN for
 * the first `period - 1` bars; leading NaNs of the input are skipped.
 * @throws RangeError if the period is not an integer of at least 1
 */
export function ema(x: Series, period: number): Series {
  checkPeriod("ema", period);
  return smooth(x, period, 2 / (period + 1));
}

/** Recursive average with the given `weight`: the mean of the first `period` numbers, exponential from there on. */
export function smooth(x: Series, period: number, weight: number): Series {
  const out = new Float64Array(x.length);
  const start = firstNumber(x);
  let mean = 0;
  for (let i = start; i < x.length; i++) {
    const count = i - start + 1;
    mean += (x[i]! - mean) * (count > period ? weight : 1 / count);
    out[i] = mean;
  }
  return out.fill(Number.NaN, 0, start + period - 1);
}
