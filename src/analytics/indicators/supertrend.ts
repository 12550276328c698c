import { atr } from "./atr.ts";
import { nanSeries, type Series } from "./series.ts";

/**
 * Supertrend: a trailing line in price units, `k` average true ranges from the bar's midpoint, that moves only with
 * the trend, and its `direction` (+1 up, -1 down). The first direction is up if the close is above the bar's midpoint.
 * Both are NaN for the first `period` bars.
 * @see Olivier Seban, "Tout le monde mérite d'être riche" (2009)
 * @throws RangeError if the period is not an integer of at least 1 or the columns differ in length
 */
export function supertrend(
  high: Series,
  low: Series,
  close: Series,
  period = 10,
  k = 3,
): { readonly line: Series; readonly direction: Series } {
  const range = atr(high, low, close, period);
  const line = nanSeries(close.length);
  const direction = nanSeries(close.length);
  let up = true;
  let upper = Number.NaN;
  let lower = Number.NaN;
  for (let i = period; i < close.length; i++) {
    const middle = (high[i]! + low[i]!) / 2;
    const above = middle + k * range[i]!;
    const below = middle - k * range[i]!;
    const before = close[i - 1]!;
    if (i === period) {
      up = close[i]! >= middle;
      upper = above;
      lower = below;
    }
    if (above < upper || before > upper) upper = above;
    if (below > lower || before < lower) lower = below;
    up = close[i]! > (up ? lower : upper);
    line[i] = up ? lower : upper;
    direction[i] = up ? 1 : -1;
  }
  return { line, direction };
}
