import { checkAligned, type Series } from "./series.ts";

/**
 * On-balance volume in units of volume, from 0 on the first bar: volume is added on a rising close and subtracted on a
 * falling one. Only its changes are meaningful. No warm-up.
 * @see Joseph Granville, "New Key to Stock Market Profits" (1963)
 * @throws RangeError if the columns differ in length
 */
export function obv(close: Series, volume: Series): Series {
  checkAligned("obv", close, volume);
  const out = new Float64Array(close.length);
  for (let i = 1; i < out.length; i++)
    out[i] = out[i - 1]! + Math.sign(close[i]! - close[i - 1]!) * volume[i]!;
  return out;
}
