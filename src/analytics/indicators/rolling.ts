import { type Series, unknown } from "./series.ts";

// A window of n bars is the tail of one block of n plus the head of the next. Both only ever grow, so nothing
// is subtracted, nothing drifts and a value is forgotten the moment it leaves the window.

/** Sum of the last `period` values; NaN for the first `period - 1` bars and wherever the window holds a NaN. */
export function rollingSum(x: Series, period: number): Series {
  if (x.length < period) return unknown(x.length);
  const out = new Float64Array(x.length);
  const tail = unknown(period + 1);
  tail[period] = 0;
  for (let start = 0; start < x.length; start += period) {
    if (start > 0) for (let k = period - 1, sum = 0; k > 0; k--) tail[k] = sum += x[start - period + k]!;
    const end = Math.min(start + period, x.length);
    for (let i = start, head = 0; i < end; i++) {
      head += x[i]!;
      out[i] = head + tail[i - start + 1]!;
    }
  }
  return out;
}

/** Highest of the last `period` values; NaN for the first `period - 1` bars. */
export function rollingMax(x: Series, period: number): Series {
  if (x.length < period) return unknown(x.length);
  const out = new Float64Array(x.length);
  const tail = unknown(period + 1);
  tail[period] = Number.NEGATIVE_INFINITY;
  for (let start = 0; start < x.length; start += period) {
    if (start > 0)
      for (let k = period - 1, high = tail[period]!; k > 0; k--)
        tail[k] = high = Math.max(high, x[start - period + k]!);
    const end = Math.min(start + period, x.length);
    for (let i = start, head = tail[period]!; i < end; i++) {
      head = Math.max(head, x[i]!);
      out[i] = Math.max(head, tail[i - start + 1]!);
    }
  }
  return out;
}

/** Lowest of the last `period` values; NaN for the first `period - 1` bars. */
export function rollingMin(x: Series, period: number): Series {
  if (x.length < period) return unknown(x.length);
  const out = new Float64Array(x.length);
  const tail = unknown(period + 1);
  tail[period] = Number.POSITIVE_INFINITY;
  for (let start = 0; start < x.length; start += period) {
    if (start > 0)
      for (let k = period - 1, low = tail[period]!; k > 0; k--)
        tail[k] = low = Math.min(low, x[start - period + k]!);
    const end = Math.min(start + period, x.length);
    for (let i = start, head = tail[period]!; i < end; i++) {
      head = Math.min(head, x[i]!);
      out[i] = Math.min(head, tail[i - start + 1]!);
    }
  }
  return out;
}
