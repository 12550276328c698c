import { checkPeriod, firstNumber, type Series } from "./series.ts";

/**
 * Simple moving average: the plain mean of the last `period` values, in the unit of its input. NaN for the
 * first `period - 1` bars and wherever the window holds a NaN. Rounding errors do not accumulate; a flat
 * window gives exactly its value.
 * @throws RangeError if the period is not a whole number of at least 1
 */
export function sma(x: Series, period: number): Series {
  checkPeriod("sma", period);
  const out = new Float64Array(x.length);
  // head and tail sums as in rolling.ts, of differences from a value in the window, so that high prices lose no precision
  for (let start = 0; start < x.length; start += period) {
    const end = Math.min(start + period, x.length);
    const origin = x[start]!;
    if (start > 0)
      for (let i = start + period - 2, tail = 0; i >= start; i--) {
        tail += x[i - period + 1]! - origin;
        if (i < end) out[i] = tail;
      }
    for (let i = start, head = 0; i < end; i++) {
      head += x[i]! - origin;
      out[i] = origin + (head + out[i]!) / period;
    }
  }
  return out.fill(Number.NaN, 0, period - 1);
}

/**
 * Exponential moving average with weight 2 / (period + 1), seeded with the plain mean of the first `period`
 * values. NaN for the first `period - 1` bars; leading NaNs of the input are passed over.
 * @throws RangeError on a period that cannot average anything
 */
export function ema(x: Series, period: number): Series {
  checkPeriod("ema", period);
  return smooth(x, period, 2 / (period + 1));
}

/** Recursive average of any `weight`: a plain mean over the first `period` numbers, exponential from there. */
export function smooth(x: Series, period: number, weight: number): Series {
  const out = new Float64Array(x.length);
  const start = firstNumber(x);
  let mean = 0;
  for (let i = start; i < x.length; i++) {
    const seen = i - start + 1;
    mean += (x[i]! - mean) * (seen > period ? weight : 1 / seen);
    out[i] = mean;
  }
  return out.fill(Number.NaN, 0, start + period - 1);
}

/**
 * Wilder's moving average (also SMMA): exponential with weight 1 / period, seeded with the plain mean of the
 * first `period` values. NaN for the first `period - 1` bars; leading NaNs of the input are passed over.
 * @see J. Welles Wilder, "New Concepts in Technical Trading Systems" (1978)
 * @throws RangeError on a period that cannot average anything
 */
export function rma(x: Series, period: number): Series {
  checkPeriod("rma", period);
  return smooth(x, period, 1 / period);
}

/**
 * Linearly weighted moving average: the newest of `period` values weighs `period`, the oldest 1.
 * NaN for the first `period - 1` bars and wherever the window holds a NaN. Never drifts.
 * @throws RangeError on a period that cannot average anything
 */
export function wma(x: Series, period: number): Series {
  checkPeriod("wma", period);
  const out = new Float64Array(x.length);
  const weights = (period * (period + 1)) / 2;
  // head and tail sums as in rolling.ts, of differences from a value in the window, so that high prices lose no precision
  for (let start = 0; start < x.length; start += period) {
    const end = Math.min(start + period, x.length);
    const origin = x[start]!;
    if (start > 0)
      for (let i = start + period - 2, sum = 0, tail = 0; i >= start; i--) {
        sum += x[i - period + 1]! - origin;
        tail += sum;
        if (i < end) out[i] = tail;
      }
    for (let i = start, place = 1, sum = 0, head = 0; i < end; i++, place++) {
      const value = x[i]! - origin;
      sum += value;
      head += place * value;
      out[i] = origin + (head + (period - place) * sum + out[i]!) / weights;
    }
  }
  return out.fill(Number.NaN, 0, period - 1);
}
