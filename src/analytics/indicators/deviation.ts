import { checkPeriod, type Series, unknown } from "./series.ts";

/**
 * Mean and population standard deviation of the last `period` values, in the unit of the input. NaN for the
 * first `period - 1` bars and wherever the window holds a NaN. Never drifts; a flat window deviates by
 * exactly 0.
 * @throws RangeError on a period that cannot average anything
 */
export function deviation(x: Series, period: number): { readonly mean: Series; readonly deviation: Series } {
  checkPeriod("deviation", period);
  if (x.length < period) return { mean: unknown(x.length), deviation: unknown(x.length) };
  const mean = new Float64Array(x.length);
  const spread = new Float64Array(x.length);
  // sums of a window as in rolling.ts, measured from a value inside it so that a high level costs no digits
  const tail = unknown(period + 1);
  const tailSquares = unknown(period + 1);
  tail[period] = tailSquares[period] = 0;
  for (let start = 0; start < x.length; start += period) {
    const origin = x[start]!;
    if (start > 0)
      for (let k = period - 1, sum = 0, squares = 0; k > 0; k--) {
        const value = x[start - period + k]! - origin;
        tail[k] = sum += value;
        tailSquares[k] = squares += value * value;
      }
    const end = Math.min(start + period, x.length);
    for (let i = start, sum = 0, squares = 0; i < end; i++) {
      const value = x[i]! - origin;
      sum += value;
      squares += value * value;
      const k = i - start + 1;
      const shift = (sum + tail[k]!) / period;
      const variance = (squares + tailSquares[k]!) / period - shift * shift;
      mean[i] = origin + shift;
      spread[i] = variance > 0 ? Math.sqrt(variance) : variance * 0;
    }
  }
  return { mean, deviation: spread };
}
