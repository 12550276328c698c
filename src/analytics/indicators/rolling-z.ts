import { deviation } from "./deviation.ts";
import type { Series } from "./series.ts";

/**
 * Rolling z-score: the distance of a value from the mean of the last `period` values, including itself, in population
 * standard deviations. NaN for the first `period - 1` bars and if the window is constant.
 * @throws RangeError if the period is not an integer of at least 1
 */
export function rollingZ(x: Series, period: number): Series {
  const { mean, deviation: spread } = deviation(x, period);
  for (let i = 0; i < x.length; i++) mean[i] = (x[i]! - mean[i]!) / spread[i]!;
  return mean;
}
