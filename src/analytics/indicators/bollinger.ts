import { deviate } from "./deviation.ts";
import { checkAligned, checkPeriod, columns, type Series } from "./series.ts";

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
 * Writes into `out` where the caller brings it.
 * @see John Bollinger, "Bollinger on Bollinger Bands" (2001)
 * @throws RangeError on a period that cannot average anything or an `out` of another length
 */
export function bollinger(close: Series, period = 20, k = 2, out: Bands = blank(close.length)): Bands {
  checkPeriod("bollinger", period);
  const { upper, middle, lower, percentB, width } = out;
  checkAligned("bollinger", close, upper, middle, lower, percentB, width);
  deviate(close, period, middle, upper);
  for (let i = 0; i < close.length; i++) {
    const mean = middle[i]!;
    const half = k * upper[i]!;
    upper[i] = mean + half;
    lower[i] = mean - half;
    percentB[i] = half === 0 ? 0.5 : 0.5 + (close[i]! - mean) / (2 * half);
    width[i] = (2 * half) / mean;
  }
  return out;
}

function blank(length: number): Bands {
  const [upper, middle, lower, percentB, width] = columns(length, 5);
  return { upper, middle, lower, percentB, width };
}
