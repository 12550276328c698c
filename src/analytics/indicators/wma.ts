import { checkPeriod, type Series, unknown } from "./series.ts";

/**
 * Linearly weighted moving average: the newest of `period` values weighs `period`, the oldest 1.
 * NaN for the first `period - 1` bars and wherever the window holds a NaN. Never drifts.
 * @throws RangeError on a period that cannot average anything
 */
export function wma(x: Series, period: number): Series {
  checkPeriod("wma", period);
  if (x.length < period) return unknown(x.length);
  const out = new Float64Array(x.length);
  const total = (period * (period + 1)) / 2;
  const tail = unknown(period + 1);
  tail[period] = 0;
  for (let start = 0; start < x.length; start += period) {
    const origin = x[start]!;
    if (start > 0)
      for (let k = period - 1, sum = 0, weighted = 0; k > 0; k--) {
        sum += x[start - period + k]! - origin;
        tail[k] = weighted += sum;
      }
    const end = Math.min(start + period, x.length);
    for (let i = start, sum = 0, weighted = 0; i < end; i++) {
      const place = i - start + 1;
      const value = x[i]! - origin;
      sum += value;
      weighted += place * value;
      out[i] = origin + (weighted + (period - place) * sum + tail[place]!) / total;
    }
  }
  return out;
}
