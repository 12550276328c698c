import { checkPeriod, type Series } from "./series.ts";

/**
 * Relative Strength Index, 0-100, with Wilder's smoothing: at or above 70 buyers have been pressing, at or
 * below 30 sellers have. Without any change it reads 50. NaN for the first `period` bars.
 * @see J. Welles Wilder, "New Concepts in Technical Trading Systems" (1978), ch. 6
 * @throws RangeError if the period is not an integer of at least 1
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
    // (size + change) / 2 is the rise or 0; written without an unpredictable branch
    gain += (0.5 * (size + change) - gain) * weight;
    loss += (0.5 * (size - change) - loss) * weight;
    const both = gain + loss;
    out[i] = both === 0 ? 50 : 100 * (gain / both);
  }
  return out.fill(Number.NaN, 0, period);
}
