import { checkPeriod, type Series, unknown } from "./series.ts";

/**
 * Straight line fitted to the last `period` values: its `slope` in units of the input per bar and the share of
 * the variance it explains (`r2`, 0-1; 0 where there is no variance). NaN for the first `period - 1` bars and
 * wherever the window holds a NaN. Never drifts.
 * @throws RangeError on a period under 2
 */
export function linearRegression(x: Series, period: number): { readonly slope: Series; readonly r2: Series } {
  checkPeriod("linearRegression", period, 2);
  const slope = unknown(x.length);
  const r2 = unknown(x.length);
  if (x.length < period) return { slope, r2 };
  const places = (period * (period * period - 1)) / 12;
  // as in rolling.ts, measured from a value inside the window so that a high level costs no digits
  const tail = unknown(period + 1);
  const tailSquares = unknown(period + 1);
  const tailPlaced = unknown(period + 1);
  tail[period] = tailSquares[period] = tailPlaced[period] = 0;
  for (let start = 0; start < x.length; start += period) {
    const origin = x[start]!;
    if (start > 0)
      for (let k = period - 1, sum = 0, squares = 0, placed = 0; k > 0; k--) {
        const value = x[start - period + k]! - origin;
        tail[k] = sum += value;
        tailSquares[k] = squares += value * value;
        tailPlaced[k] = placed += sum;
      }
    const end = Math.min(start + period, x.length);
    for (let i = start, sum = 0, squares = 0, placed = 0; i < end; i++) {
      const value = x[i]! - origin;
      const k = i - start + 1;
      sum += value;
      squares += value * value;
      placed += k * value;
      const total = sum + tail[k]!;
      const covariance = placed + (period - k) * sum + tailPlaced[k]! - ((period + 1) / 2) * total;
      const variance = squares + tailSquares[k]! - (total * total) / period;
      slope[i] = covariance / places;
      r2[i] = variance === 0 ? 0 : Math.min(1, (covariance * covariance) / (places * variance));
    }
  }
  return { slope, r2 };
}
