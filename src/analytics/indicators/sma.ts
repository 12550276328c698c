import { checkPeriod, type Series, unknown } from "./series.ts";

/**
 * Simple moving average: the plain mean of the last `period` values, in the unit of its input.
 * NaN for the first `period - 1` bars and wherever the window holds a NaN. Never drifts; a flat window
 * gives exactly its value.
 * @throws RangeError on a period that cannot average anything
 */
export function sma(x: Series, period: number): Series {
  checkPeriod("sma", period);
  if (x.length < period) return unknown(x.length);
  const out = new Float64Array(x.length);
  // as in rolling.ts, measured from a value inside the window so that a high level costs no digits
  const tail = unknown(period + 1);
  tail[period] = 0;
  for (let start = 0; start < x.length; start += period) {
    const origin = x[start]!;
    if (start > 0)
      for (let k = period - 1, sum = 0; k > 0; k--) tail[k] = sum += x[start - period + k]! - origin;
    const end = Math.min(start + period, x.length);
    for (let i = start, head = 0; i < end; i++) {
      head += x[i]! - origin;
      out[i] = origin + (head + tail[i - start + 1]!) / period;
    }
  }
  return out;
}
