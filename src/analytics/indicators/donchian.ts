import { rollingMax, rollingMin } from "./rolling.ts";
import { checkAligned, checkPeriod, type Series } from "./series.ts";

/**
 * Donchian channel in price units: highest high, lowest low and their midpoint over the `period` bars **before** the
 * current one, so that a close can break out of it. NaN for the first `period` bars.
 * @see Richard Donchian, "Commodities: Trend-Following Methods in Commodity Price Analysis" (1957)
 * @throws RangeError if the period is not an integer of at least 1 or the columns differ in length
 */
export function donchian(
  high: Series,
  low: Series,
  period = 20,
): { readonly upper: Series; readonly middle: Series; readonly lower: Series } {
  checkPeriod("donchian", period);
  checkAligned("donchian", high, low);
  const upper = rollingMax(high, period);
  const lower = rollingMin(low, period);
  const middle = new Float64Array(high.length);
  for (let i = high.length - 1; i >= 0; i--) {
    upper[i] = i === 0 ? Number.NaN : upper[i - 1]!;
    lower[i] = i === 0 ? Number.NaN : lower[i - 1]!;
    middle[i] = (upper[i]! + lower[i]!) / 2;
  }
  return { upper, middle, lower };
}
