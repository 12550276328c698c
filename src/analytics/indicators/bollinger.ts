import { deviate } from "./deviation.ts";
import { checkPeriod, columns, type Series } from "./series.ts";

interface Bands {
  readonly upper: Series;
  readonly middle: Series;
  readonly lower: Series;
  readonly percentB: Series;
  readonly width: Series;
}

/**
 * Bollinger bands in price units: the mean of the last `period` closes and `k` population deviations around
 * it; `percentB` is the close's place between the bands (0 lower, 1 upper, .5 when they meet) and `width`
 * the distance of the bands as a share of the middle. NaN for the first `period - 1` bars.
 * @see John Bollinger, "Bollinger on Bollinger Bands" (2001)
 * @throws RangeError on a period that cannot average anything
 */
export function bollinger(close: Series, period = 20, k = 2): Bands {
  checkPeriod("bollinger", period);
  const [upper, middle, lower, percentB, width] = columns(close.length, 5);
  deviate(close, period, middle, upper);
  for (let i = 0; i < close.length; i++) {
    const mean = middle[i]!;
    const half = k * upper[i]!;
    upper[i] = mean + half;
    lower[i] = mean - half;
    percentB[i] = half === 0 ? 0.5 : 0.5 + (close[i]! - mean) / (2 * half);
    width[i] = (2 * half) / mean;
  }
  return { upper, middle, lower, percentB, width };
}
