import { checkPeriod, type Series } from "./series.ts";

/**
 * Simple moving average: the mean of the last `period` values, in the unit of the input. NaN for the first `period -
 * 1` bars and while the window contains a NaN. Rounding errors do not accumulate; a constant window gives exactly its
 * value.
 * @throws RangeError if the period is not an integer of at least 1
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
