import { rollingMax, rollingMin } from "./rolling.ts";
import { checkAligned, checkPeriod, type Series } from "./series.ts";
import { sma } from "./sma.ts";

/**
 * Slow stochastic, 0-100: where the close lies in the range of the last `period` bars, averaged over `smooth`
 * bars (`k`) and again over `signal` (`d`). NaN for the first `period + smooth - 2` bars (`d`: `signal - 1`
 * more) and while a range without width is in the window.
 * @see George Lane, "Lane's Stochastics" (1984)
 * @throws RangeError on a period that cannot average anything or columns of different lengths
 */
export function stochastic(
  high: Series,
  low: Series,
  close: Series,
  period = 14,
  smooth = 3,
  signal = 3,
): { readonly k: Series; readonly d: Series } {
  for (const length of [period, smooth, signal]) checkPeriod("stochastic", length);
  checkAligned("stochastic", high, low, close);
  const top = rollingMax(high, period);
  const bottom = rollingMin(low, period);
  for (let i = 0; i < top.length; i++) top[i] = 100 * ((close[i]! - bottom[i]!) / (top[i]! - bottom[i]!));
  const k = sma(top, smooth);
  return { k, d: sma(k, signal) };
}
