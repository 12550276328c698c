import { rollingMax, rollingMin } from "./rolling.ts";
import { checkAligned, checkPeriod, type Series } from "./series.ts";

/**
 * Williams %R, -100 to 0: the distance of the close below the high of the last `period` bars, in percent of their
 * range. NaN for the first `period - 1` bars and if that range has width 0.
 * @see Larry Williams, "How I Made One Million Dollars Last Year Trading Commodities" (1973)
 * @throws RangeError if the period is not an integer of at least 1 or the columns differ in length
 */
export function williamsR(high: Series, low: Series, close: Series, period = 14): Series {
  checkPeriod("williamsR", period);
  checkAligned("williamsR", high, low, close);
  const top = rollingMax(high, period);
  const bottom = rollingMin(low, period);
  for (let i = 0; i < top.length; i++) top[i] = 100 * ((close[i]! - top[i]!) / (top[i]! - bottom[i]!));
  return top;
}
