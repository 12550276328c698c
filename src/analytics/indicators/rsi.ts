import { checkPeriod, type Series } from "./series.ts";

/**
 * Relative Strength Index, 0-100, with Wilder's smoothing: at or above 70 buyers have been pressing, at or
 * below 30 sellers have. Without any change it reads 50. NaN for the first `period` bars.
 * @see J. Welles Wilder, "New Concepts in Technical Trading Systems" (1978), ch. 6
 * @throws RangeError on a period that cannot average anything
 */
export function rsi(close: Series, period = 14): Series {
  checkPeriod("rsi", period);
  const out = new Float64Array(close.length);
  let net = 0;
  let gross = 0;
  for (let i = 1; i < close.length; i++) {
    const change = close[i]! - close[i - 1]!;
    const weight = i < period ? 1 / i : 1 / period;
    // average gain - average loss, and their sum: the two Wilder averages in a form without branches
    net += (change - net) * weight;
    gross += (Math.abs(change) - gross) * weight;
    out[i] = gross === 0 ? 50 : 50 + 50 * (net / gross);
  }
  return out.fill(Number.NaN, 0, period);
}
