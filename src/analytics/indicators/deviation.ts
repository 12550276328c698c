import { checkPeriod, columns, type Series } from "./series.ts";

/**
 * Mean and population standard deviation of the last `period` values, in the unit of the input. NaN for the first
 * `period - 1` bars and while the window contains a NaN. Rounding errors do not accumulate; a constant window has a
 * deviation of exactly 0.
 * @throws RangeError if the period is not an integer of at least 1
 */
export function deviation(x: Series, period: number): { readonly mean: Series; readonly deviation: Series } {
  checkPeriod("deviation", period);
  const [mean, spread] = columns(x.length, 2);
  deviate(x, period, mean, spread);
  return { mean, deviation: spread };
}

/** Writes `deviation` into columns of the caller. */
export function deviate(x: Series, period: number, mean: Series, spread: Series): void {
  const share = 1 / period;
  mean.fill(0, 0, period);
  spread.fill(0, 0, period);
  // head and tail as in rolling.ts, relative to a value inside the window, so that high values lose no precision
  for (let start = 0; start < x.length; start += period) {
    const end = Math.min(start + period, x.length);
    const origin = x[start]!;
    if (start > 0)
      for (let i = start + period - 1, sum = 0, squares = 0; i >= start; i--) {
        if (i < end) {
          mean[i] = sum;
          spread[i] = squares;
        }
        const value = x[i - period]! - origin;
        sum += value;
        squares += value * value;
      }
    for (let i = start, sum = 0, squares = 0; i < end; i++) {
      const value = x[i]! - origin;
      sum += value;
      squares += value * value;
      const shift = (sum + mean[i]!) * share;
      mean[i] = origin + shift;
      // rounding may give slightly less than 0
      spread[i] = Math.sqrt(Math.abs((squares + spread[i]!) * share - shift * shift));
    }
  }
  mean.fill(Number.NaN, 0, period - 1);
  spread.fill(Number.NaN, 0, period - 1);
}
