import type { Series } from "./series.ts";

// A window of n bars is the tail of one block of n and the head of the next. Both only grow, so nothing is
// subtracted, rounding errors do not accumulate and a value has no effect once it leaves the window. The tail
// that bar i needs is stored in out[i] until bar i overwrites it.

/** Sum of the last `period` values; NaN for the first `period - 1` bars and while the window contains a NaN. */
export function rollingSum(x: Series, period: number): Series {
  const out = new Float64Array(x.length);
  for (let start = 0; start < x.length; start += period) {
    const end = Math.min(start + period, x.length);
    if (start > 0)
      for (let i = start + period - 2, tail = 0; i >= start; i--) {
        tail += x[i - period + 1]!;
        if (i < end) out[i] = tail;
      }
    for (let i = start, head = 0; i < end; i++) {
      head += x[i]!;
      out[i]! += head;
    }
  }
  return out.fill(Number.NaN, 0, period - 1);
}

/** Highest of the last `period` values; NaN for the first `period - 1` bars. */
export function rollingMax(x: Series, period: number): Series {
  const out = new Float64Array(x.length).fill(Number.NEGATIVE_INFINITY);
  for (let start = 0; start < x.length; start += period) {
    const end = Math.min(start + period, x.length);
    if (start > 0)
      for (let i = start + period - 2, tail = Number.NEGATIVE_INFINITY; i >= start; i--) {
        tail = Math.max(tail, x[i - period + 1]!);
        if (i < end) out[i] = tail;
      }
    for (let i = start, head = Number.NEGATIVE_INFINITY; i < end; i++) {
      head = Math.max(head, x[i]!);
      out[i] = Math.max(head, out[i]!);
    }
  }
  return out.fill(Number.NaN, 0, period - 1);
}

/** Lowest of the last `period` values; NaN for the first `period - 1` bars. */
export function rollingMin(x: Series, period: number): Series {
  const out = new Float64Array(x.length).fill(Number.POSITIVE_INFINITY);
  for (let start = 0; start < x.length; start += period) {
    const end = Math.min(start + period, x.length);
    if (start > 0)
      for (let i = start + period - 2, tail = Number.POSITIVE_INFINITY; i >= start; i--) {
        tail = Math.min(tail, x[i - period + 1]!);
        if (i < end) out[i] = tail;
      }
    for (let i = start, head = Number.POSITIVE_INFINITY; i < end; i++) {
      head = Math.min(head, x[i]!);
      out[i] = Math.min(head, out[i]!);
    }
  }
  return out.fill(Number.NaN, 0, period - 1);
}
