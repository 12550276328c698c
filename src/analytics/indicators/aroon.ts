import { checkAligned, checkPeriod, nanSeries, type Series } from "./series.ts";

/**
 * Aroon, 0-100: how recently the last `period + 1` bars made their high (`up`) and their low (`down`), 100 if at this
 * bar; `oscillator` is their difference. Of equal extremes the oldest counts. NaN for the first `period` bars.
 * @see Tushar Chande, "A Time Price Oscillator" (1995)
 * @throws RangeError if the period is not an integer of at least 1 or the columns differ in length
 */
export function aroon(
  high: Series,
  low: Series,
  period = 25,
): { readonly up: Series; readonly down: Series; readonly oscillator: Series } {
  checkPeriod("aroon", period);
  checkAligned("aroon", high, low);
  const up = nanSeries(high.length);
  const down = nanSeries(high.length);
  const oscillator = nanSeries(high.length);
  let top = 0;
  let bottom = 0;
  for (let i = 0; i < high.length; i++) {
    const first = i - period;
    // an extreme is searched again only when it leaves the window
    if (top < first) {
      top = first;
      for (let j = first + 1; j < i; j++) if (high[j]! > high[top]!) top = j;
    }
    if (bottom < first) {
      bottom = first;
      for (let j = first + 1; j < i; j++) if (low[j]! < low[bottom]!) bottom = j;
    }
    if (high[i]! > high[top]!) top = i;
    if (low[i]! < low[bottom]!) bottom = i;
    if (first < 0) continue;
    up[i] = (100 * (period - (i - top))) / period;
    down[i] = (100 * (period - (i - bottom))) / period;
    oscillator[i] = up[i]! - down[i]!;
  }
  return { up, down, oscillator };
}
