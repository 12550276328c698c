import { checkPeriod, columns, type Series } from "./series.ts";

/**
 * Line fitted to the last `period` values: its `slope` in units of the input per bar, and the share of the variance
 * that it explains (`r2`, 0-1; 0 without variance). NaN for the first `period - 1` bars and while the window contains
 * a NaN. Rounding errors do not accumulate.
 * @throws RangeError if the period is not an integer of at least 2
 */
export function linearRegression(x: Series, period: number): { readonly slope: Series; readonly r2: Series } {
  checkPeriod("linearRegression", period, 2);
  const [slope, r2, tails] = columns(x.length, 3);
  const places = (period * (period * period - 1)) / 12;
  // head and tail as in rolling.ts, relative to a value inside the window, so that high values lose no precision
  for (let start = 0; start < x.length; start += period) {
    const end = Math.min(start + period, x.length);
    const origin = x[start]!;
    if (start > 0)
      for (let i = start + period - 2, sum = 0, squares = 0, placed = 0; i >= start; i--) {
        const value = x[i - period + 1]! - origin;
        sum += value;
        squares += value * value;
        placed += sum;
        if (i >= end) continue;
        slope[i] = placed;
        r2[i] = squares;
        tails[i] = sum;
      }
    for (let i = start, place = 1, sum = 0, squares = 0, placed = 0; i < end; i++, place++) {
      const value = x[i]! - origin;
      sum += value;
      squares += value * value;
      placed += place * value;
      const total = sum + tails[i]!;
      const variance = squares + r2[i]! - (total * total) / period;
      const covariance = placed + (period - place) * sum + slope[i]! - ((period + 1) / 2) * total;
      slope[i] = covariance / places;
      r2[i] = variance === 0 ? 0 : Math.min(1, (covariance * covariance) / (places * variance));
    }
  }
  slope.fill(Number.NaN, 0, period - 1);
  r2.fill(Number.NaN, 0, period - 1);
  return { slope, r2 };
}
