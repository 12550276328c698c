import { checkPeriod, type Series } from "./series.ts";

/**
 * Rate of change in percent over `period` bars. NaN for the first `period` bars and if the earlier value is 0.
 * @throws RangeError if the period is not an integer of at least 1
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
