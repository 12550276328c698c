import { checkPeriod, type Series } from "./series.ts";

/**
 * Linearly weighted moving average: the newest of `period` values has weight `period`, the oldest 1. NaN for the first
 * `period - 1` bars and while the window contains a NaN. Rounding errors do not accumulate.
 * @throws RangeError if the period is not an integer of at least 1
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
