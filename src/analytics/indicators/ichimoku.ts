import { rollingMax, rollingMin } from "./rolling.ts";
import { checkAligned, checkPeriod, nanSeries, type Series } from "./series.ts";

/**
 * Ichimoku lines in price units: midpoints of the last `conversion` and `base` bars (`tenkan`, `kijun`) and the two
 * edges of the cloud at the current bar, computed from the bars up to `base` bars ago. The lagging span is omitted
 * because it requires later bars. NaN for the first `conversion - 1`, `base - 1`, `2 * base - 1` and `base + span - 1`
 * bars, respectively.
 * @see Goichi Hosoda, "Ichimoku Kinko Hyo" (1969)
 * @throws RangeError if a period is not an integer of at least 1 or the columns differ in length
 */
export function ichimoku(
  high: Series,
  low: Series,
  conversion = 9,
  base = 26,
  span = 52,
): { readonly tenkan: Series; readonly kijun: Series; readonly senkouA: Series; readonly senkouB: Series } {
  checkAligned("ichimoku", high, low);
  const tenkan = middle(high, low, conversion);
  const kijun = middle(high, low, base);
  const wide = middle(high, low, span);
  const senkouA = nanSeries(high.length);
  const senkouB = nanSeries(high.length);
  for (let i = base; i < high.length; i++) {
    senkouA[i] = (tenkan[i - base]! + kijun[i - base]!) / 2;
    senkouB[i] = wide[i - base]!;
  }
  return { tenkan, kijun, senkouA, senkouB };
}

function middle(high: Series, low: Series, period: number): Series {
  checkPeriod("ichimoku", period);
  const top = rollingMax(high, period);
  const bottom = rollingMin(low, period);
  for (let i = 0; i < top.length; i++) top[i] = (top[i]! + bottom[i]!) / 2;
  return top;
}
