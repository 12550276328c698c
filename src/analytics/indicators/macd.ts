import { ema } from "./ema.ts";
import { checkPeriod, type Series } from "./series.ts";

/**
 * Moving average convergence divergence, in price units: fast minus slow EMA, the EMA of that as signal, and
 * their difference. `macd` is NaN for the first `slow - 1` bars, the other two for `signal - 1` more.
 * @see Gerald Appel, "The Moving Average Convergence Divergence Trading Method" (1979)
 * @throws RangeError on a period under 1 or a fast period that is not the shorter one
 */
export function macd(
  close: Series,
  fast = 12,
  slow = 26,
  signal = 9,
): { readonly macd: Series; readonly signal: Series; readonly histogram: Series } {
  checkPeriod("macd", fast);
  checkPeriod("macd", slow, fast + 1);
  checkPeriod("macd", signal);
  const line = ema(close, fast);
  const long = ema(close, slow);
  for (let i = 0; i < line.length; i++) line[i]! -= long[i]!;
  const trigger = ema(line, signal);
  for (let i = 0; i < line.length; i++) long[i] = line[i]! - trigger[i]!;
  return { macd: line, signal: trigger, histogram: long };
}
