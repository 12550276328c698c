import { deviation } from "./deviation.ts";
import { checkPeriod, type Series } from "./series.ts";

/**
 * Bollinger bands in price units: the mean of the last `period` closes and `k` population deviations around
 * it; `percentB` is the close's place between the bands (0 lower, 1 upper, .5 when they meet) and `width`
 * the distance of the bands as a share of the middle. NaN for the first `period - 1` bars.
 * @see John Bollinger, "Bollinger on Bollinger Bands" (2001)
 * @throws RangeError on a period that cannot average anything
 */
export function bollinger(
  close: Series,
  period = 20,
  k = 2,
): {
  readonly upper: Series;
  readonly middle: Series;
  readonly lower: Series;
  readonly percentB: Series;
  readonly width: Series;
} {
  checkPeriod("bollinger", period);
  const { mean: middle, deviation: upper } = deviation(close, period);
  const lower = new Float64Array(close.length);
  const percentB = new Float64Array(close.length);
  const width = new Float64Array(close.length);
  for (let i = 0; i < close.length; i++) {
    const mean = middle[i]!;
    const half = k * upper[i]!;
    upper[i] = mean + half;
    lower[i] = mean - half;
    percentB[i] = half === 0 ? 0.5 : (close[i]! - mean + half) / (2 * half);
    width[i] = (2 * half) / mean;
  }
  return { upper, middle, lower, percentB, width };
}
