import { checkAligned, checkPeriod, columns, type Series } from "./series.ts";

/**
 * Directional movement, each 0-100: how strong a trend is (`adx`) and how far it points up (`plus`, +DI) and
 * down (`minus`, -DI). Without any movement all three read 0. The DIs are NaN for the first `period` bars,
 * the ADX for the first `2 * period - 1`.
 * @see J. Welles Wilder, "New Concepts in Technical Trading Systems" (1978), ch. 4
 * @throws RangeError if the period is not an integer of at least 1 or the columns differ in length
 */
export function adx(
  high: Series,
  low: Series,
  close: Series,
  period = 14,
): { readonly adx: Series; readonly plus: Series; readonly minus: Series } {
  checkPeriod("adx", period);
  checkAligned("adx", high, low, close);
  const [strength, plus, minus] = columns(high.length, 3);
  const length = high.length;
  const step = 1 / period;
  let [topBefore, bottomBefore, previous] = [high[0]!, low[0]!, close[0]!];
  let range = 0;
  let rise = 0;
  let fall = 0;
  let mean = 0;
  for (let i = 1; i < length; i++) {
    const top = high[i]!;
    const bottom = low[i]!;
    const up = top - topBefore;
    const down = bottomBefore - bottom;
    const weight = i < period ? 1 / i : step;
    range += (Math.max(top, previous) - Math.min(bottom, previous) - range) * weight;
    // the larger move counts if it is positive; written without an unpredictable branch
    rise += (Number(up > down) * 0.5 * (up + Math.abs(up)) - rise) * weight;
    fall += (Number(down > up) * 0.5 * (down + Math.abs(down)) - fall) * weight;
    topBefore = top;
    bottomBefore = bottom;
    previous = close[i]!;
    const scale = range === 0 ? 0 : 100 / range;
    plus[i] = rise * scale;
    minus[i] = fall * scale;
    if (i < period) continue;
    const both = rise + fall;
    const index = both === 0 ? 0 : 100 * (Math.abs(rise - fall) / both);
    const count = i - period + 1;
    mean += (index - mean) * (count < period ? 1 / count : step);
    strength[i] = mean;
  }
  strength.fill(Number.NaN, 0, 2 * period - 1);
  plus.fill(Number.NaN, 0, period);
  minus.fill(Number.NaN, 0, period);
  return { adx: strength, plus, minus };
}
