import { deviation } from "./deviation.ts";
import type { Series } from "./series.ts";

/**
 * Rolling z-score: how many population deviations a value lies from the mean of the last `period` values,
 * itself included. NaN for the first `period - 1` bars and where the window has no spread at all.
 * @throws RangeError on a period that cannot average anything
 */
export function rollingZ(x: Series, period: number): Series {
  const { mean, deviation: spread } = deviation(x, period);
  for (let i = 0; i < x.length; i++) mean[i] = (x[i]! - mean[i]!) / spread[i]!;
  return mean;
}
