import { checkPeriod, nanSeries, type Series } from "./series.ts";

/** Minimum number of values for a rank: half a year of sessions. */
const MIN_VALUES = 126;

/**
 * Percentile (0-1) of a value among the last `period` values, including itself: the share below it plus half of the
 * share equal to it. With fewer values it ranks among the existing ones; NaN with fewer than 126. NaNs are not the
 * counted.
 * @throws RangeError if the period is not an integer of at least 1
 */
export function percentRank(x: Series, period: number): Series {
  checkPeriod("percentRank", period);
  const out = nanSeries(x.length);
  for (let i = 0; i < x.length; i++) {
    const value = x[i]!;
    if (Number.isNaN(value)) continue;
    let below = 0;
    let above = 0;
    let equal = 0;
    for (let j = Math.max(0, i - period + 1); j <= i; j++) {
      if (x[j]! < value) below++;
      else if (x[j]! > value) above++;
      else if (x[j] === value) equal++;
    }
    const count = below + equal + above;
    if (count >= MIN_VALUES) out[i] = (below + equal / 2) / count;
  }
  return out;
}
