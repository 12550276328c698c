import { sma } from "./averages.ts";
import { rollingMax, rollingMin } from "./rolling.ts";
import { checkAligned, checkPeriod, type Series } from "./series.ts";

/**
 * Relative Strength Index, 0-100, with Wilder's smoothing: at or above 70 buyers have been pressing, at or
 * below 30 sellers have. Without any change it reads 50. NaN for the first `period` bars.
 * @see J. Welles Wilder, "New Concepts in Technical Trading Systems" (1978), ch. 6
 * @throws RangeError on a period that cannot average anything
 */
export function rsi(close: Series, period = 14): Series {
  checkPeriod("rsi", period);
  const out = new Float64Array(close.length);
  let gain = 0;
  let loss = 0;
  for (let i = 1; i < close.length; i++) {
    const change = close[i]! - close[i - 1]!;
    const weight = i < period ? 1 / i : 1 / period;
    const size = Math.abs(change);
    // (size + change) / 2 is the rise or 0: written without an unpredictable branch
    gain += (0.5 * (size + change) - gain) * weight;
    loss += (0.5 * (size - change) - loss) * weight;
    const both = gain + loss;
    out[i] = both === 0 ? 50 : 100 * (gain / both);
  }
  return out.fill(Number.NaN, 0, period);
}

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

/**
 * Commodity channel index: distance of the typical price from its mean over `period` bars, in units of .015
 * mean absolute deviations, so that most values lie within +-100. 0 in a flat window; NaN for the first
 * `period - 1` bars.
 * @see Donald Lambert, "Commodity Channel Index: Tool for Trading Cyclic Trends" (1980)
 * @throws RangeError on a period that cannot average anything or columns of different lengths
 */
export function cci(high: Series, low: Series, close: Series, period = 20): Series {
  checkPeriod("cci", period);
  checkAligned("cci", high, low, close);
  const typical = new Float64Array(close.length);
  for (let i = 0; i < typical.length; i++) typical[i] = (high[i]! + low[i]! + close[i]!) / 3;
  const out = sma(typical, period);
  for (let i = period - 1; i < out.length; i++) {
    const mean = out[i]!;
    let spread = 0;
    for (let j = i - period + 1; j <= i; j++) spread += Math.abs(typical[j]! - mean);
    out[i] = spread === 0 ? 0 : (typical[i]! - mean) / ((0.015 * spread) / period);
  }
  return out;
}
