import { checkPeriod, columns, type Series } from "./series.ts";

/**
 * Moving average convergence divergence, in price units: fast minus slow EMA, the EMA of that difference as signal, and
 * the difference between the two. `macd` is NaN for the first `slow - 1` bars, the other two for another `signal - 1`
 * bars.
 * @see Gerald Appel, "The Moving Average Convergence Divergence Trading Method" (1979)
 * @throws RangeError if a period is not an integer of at least 1 or fast is not shorter than slow
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
  const length = close.length;
  const [line, trigger, histogram] = columns(length, 3);
  const nearWeight = 2 / (fast + 1);
  const farWeight = 2 / (slow + 1);
  const signalWeight = 2 / (signal + 1);
  let near = 0;
  let far = 0;
  let mean = 0;
  for (let i = 0; i < length; i++) {
    near += (close[i]! - near) * (i < fast ? 1 / (i + 1) : nearWeight);
    far += (close[i]! - far) * (i < slow ? 1 / (i + 1) : farWeight);
    const gap = near - far;
    line[i] = gap;
    const count = i - slow + 2;
    if (count < 1) continue;
    mean += (gap - mean) * (count <= signal ? 1 / count : signalWeight);
    trigger[i] = mean;
    histogram[i] = gap - mean;
  }
  line.fill(Number.NaN, 0, slow - 1);
  trigger.fill(Number.NaN, 0, slow + signal - 2);
  histogram.fill(Number.NaN, 0, slow + signal - 2);
  return { macd: line, signal: trigger, histogram };
}
