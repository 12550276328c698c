import { checkAligned, type Series } from "./series.ts";
import { sma } from "./sma.ts";

/**
 * Mansfield relative strength as a fraction: how far close / benchmark lies above its own mean over `period`
 * bars, .1 being 10%. Both columns must hold the same dates. NaN for the first `period - 1` bars.
 * @see Stan Weinstein, "Secrets for Profiting in Bull and Bear Markets" (1988)
 * @throws RangeError on a period that cannot average anything or columns of different lengths
 */
export function mansfield(close: Series, benchmark: Series, period: number): Series {
  checkAligned("mansfield", close, benchmark);
  const strength = new Float64Array(close.length);
  for (let i = 0; i < close.length; i++) strength[i] = close[i]! / benchmark[i]!;
  const mean = sma(strength, period);
  for (let i = 0; i < mean.length; i++) mean[i] = strength[i]! / mean[i]! - 1;
  return mean;
}
