import { rollingMax, rollingMin } from "./rolling.ts";
import { checkAligned, checkPeriod, type Series } from "./series.ts";

/**
 * Where the close lies between the lowest low (0) and the highest high (1) of the last `period` bars, a year
 * as a rule. NaN for the first `period - 1` bars and where that range has no width.
 * @see Thomas George and Chuan-Yang Hwang, "The 52-Week High and Momentum Investing" (2004)
 * @throws RangeError on a period that holds no bar or columns of different lengths
 */
export function position52w(high: Series, low: Series, close: Series, period: number): Series {
  checkPeriod("position52w", period);
  checkAligned("position52w", high, low, close);
  const top = rollingMax(high, period);
  const bottom = rollingMin(low, period);
  for (let i = 0; i < top.length; i++) top[i] = (close[i]! - bottom[i]!) / (top[i]! - bottom[i]!);
  return top;
}
