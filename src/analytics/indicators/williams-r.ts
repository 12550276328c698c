import { rollingMax, rollingMin } from "./rolling.ts";
import { checkAligned, checkPeriod, type Series } from "./series.ts";

/**
 * Williams %R, -100 to 0: how far the close lies below the high of the last `period` bars, as a share of
 * their range. NaN for the first `period - 1` bars and where that range has no width.
 * @see Larry Williams, "How I Made One Million Dollars Last Year Trading Commodities" (1973)
 * @throws RangeError on a period that cannot average anything or columns of different lengths
 */
export function williamsR(high: Series, low: Series, close: Series, period = 14): Series {
  checkPeriod("williamsR", period);
  checkAligned("williamsR", high, low, close);
  const top = rollingMax(high, period);
  const bottom = rollingMin(low, period);
  for (let i = 0; i < top.length; i++) top[i] = -100 * ((top[i]! - close[i]!) / (top[i]! - bottom[i]!));
  return top;
}
