import { rollingMax, rollingMin, rollingSum } from "./rolling.ts";
import { checkAligned, checkPeriod, type Series } from "./series.ts";

/**
 * Choppiness index, 0-100: how long the path of the last `period` bars was relative to the range it covered; above
 * 61.8 a market moves sideways, below 38.2 it trends. NaN for the first `period` bars and if they cover no range.
 * @see E. W. Dreiss, the Choppiness Index
 * @throws RangeError if the period is not an integer of at least 2 or the columns differ in length
 */
export function choppiness(high: Series, low: Series, close: Series, period = 14): Series {
  checkPeriod("choppiness", period, 2);
  checkAligned("choppiness", high, low, close);
  const top = new Float64Array(close.length).fill(Number.NaN, 0, 1);
  const bottom = new Float64Array(close.length).fill(Number.NaN, 0, 1);
  const range = new Float64Array(close.length).fill(Number.NaN, 0, 1);
  for (let i = 1; i < close.length; i++) {
    top[i] = Math.max(high[i]!, close[i - 1]!);
    bottom[i] = Math.min(low[i]!, close[i - 1]!);
    range[i] = top[i]! - bottom[i]!;
  }
  const path = rollingSum(range, period);
  const highest = rollingMax(top, period);
  const lowest = rollingMin(bottom, period);
  const most = Math.log10(period);
  for (let i = 0; i < path.length; i++)
    path[i] = 100 * (Math.log10(path[i]! / (highest[i]! - lowest[i]!)) / most);
  return path;
}
