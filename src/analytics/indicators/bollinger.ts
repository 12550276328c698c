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
 * Bollinger bands in price units: the mean of the last `period` closes and the lines `k` population standard
 * deviations above and below it. `percentB` is the position of the close between the bands (0 lower, 1 upper, .5 if
 * they coincide), `width` the distance of the bands relative to the middle. NaN for the first `period - 1` bars.
 * @see John Bollinger, "Bollinger on Bollinger Bands" (2001)
 * @throws RangeError if the period is not an integer of at least 1
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
