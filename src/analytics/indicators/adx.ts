import { checkAligned, checkPeriod, type Series } from "./series.ts";

/**
 * Directional movement, each 0-100: how strong a trend is (`adx`) and how far it points up (`plus`, +DI) and
 * down (`minus`, -DI). Without any movement all three read 0. The DIs are NaN for the first `period` bars,
 * the ADX for the first `2 * period - 1`.
 * @see J. Welles Wilder, "New Concepts in Technical Trading Systems" (1978), ch. 4
 * @throws RangeError on a period that cannot average anything or columns of different lengths
 */
export function adx(
  high: Series,
  low: Series,
  close: Series,
  period = 14,
): { readonly adx: Series; readonly plus: Series; readonly minus: Series } {
  checkPeriod("adx", period);
  checkAligned("adx", high, low, close);
  const out = new Float64Array(high.length);
  const plus = new Float64Array(high.length);
  const minus = new Float64Array(high.length);
  let range = 0;
  let rise = 0;
  let fall = 0;
  let mean = 0;
  for (let i = 1; i < out.length; i++) {
    const previous = close[i - 1]!;
    const up = high[i]! - high[i - 1]!;
    const down = low[i - 1]! - low[i]!;
    const weight = i < period ? 1 / i : 1 / period;
    range += (Math.max(high[i]!, previous) - Math.min(low[i]!, previous) - range) * weight;
    rise += ((up > down && up > 0 ? up : 0) - rise) * weight;
    fall += ((down > up && down > 0 ? down : 0) - fall) * weight;
    const scale = range === 0 ? 0 : 100 / range;
    plus[i] = rise * scale;
    minus[i] = fall * scale;
    if (i < period) continue;
    const both = rise + fall;
    const index = both === 0 ? 0 : (100 * Math.abs(rise - fall)) / both;
    const seen = i - period + 1;
    mean += (index - mean) * (seen < period ? 1 / seen : 1 / period);
    out[i] = mean;
  }
  out.fill(Number.NaN, 0, 2 * period - 1);
  plus.fill(Number.NaN, 0, period);
  minus.fill(Number.NaN, 0, period);
  return { adx: out, plus, minus };
}
