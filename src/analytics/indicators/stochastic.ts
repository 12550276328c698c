import { rollingMax, rollingMin } from "./rolling.ts";
import { checkAligned, checkPeriod, type Series } from "./series.ts";
import { sma } from "./sma.ts";

/**
 * Slow stochastic, 0-100: the position of the close within the range of the last `period` bars, averaged over `smooth`
 * bars (`k`) and again over `signal` bars (`d`). NaN for the first `period + smooth - 2` bars (`d`: another `signal -
 * 1`) and while the window contains a range of width 0.
 * @see George Lane, "Lane's Stochastics" (1984)
 * @throws RangeError if a period is not an integer of at least 1 or the columns differ in length
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
