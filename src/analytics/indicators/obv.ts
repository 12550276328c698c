import { checkAligned, type Series } from "./series.ts";

/**
 * On-balance volume in units of volume: volume added on rising closes, taken off on falling ones, from 0 on
 * the first bar. Only its changes mean anything. No warm-up.
 * @see Joseph Granville, "New Key to Stock Market Profits" (1963)
 * @throws RangeError on columns of different lengths
 */
export function obv(close: Series, volume: Series): Series {
  checkAligned("obv", close, volume);
  const out = new Float64Array(close.length);
  for (let i = 1; i < out.length; i++)
    out[i] = out[i - 1]! + Math.sign(close[i]! - close[i - 1]!) * volume[i]!;
  return out;
}
