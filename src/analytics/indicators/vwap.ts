import { type Bars, hasDateLabel } from "../../domain/market/bars.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { checkAligned, type Series } from "./series.ts";

const DAY = 86_400_000;

/**
 * Returns the session date of each bar as 00:00 UTC in epoch ms: the New York date for New York bars, else the UTC
 * date; the Monday of a weekly bar.
 */
export function sessionDays(bars: Bars): Float64Array {
  if (hasDateLabel(bars.timeframe) || bars.zone === "UTC")
    return bars.time.map((time) => Math.floor(time / DAY) * DAY);
  return bars.time.map(newYorkDay);
}

/**
 * Volume-weighted average of the typical price in price units, restarted with every session. `sessions` has one number
 * per bar that changes at the start of a session. Default: the bars' session dates. NaN until the session has volume;
 * no warm-up.
 * @throws RangeError if the columns differ in length
 */
export function vwap(bars: Bars, sessions: ArrayLike<number> = sessionDays(bars)): Series {
  const { high, low, close, volume } = bars;
  checkAligned("vwap", close, volume, high, low);
  const out = new Float64Array(close.length);
  let turnover = 0;
  let traded = 0;
  for (let i = 0; i < out.length; i++) {
    if (i > 0 && sessions[i] !== sessions[i - 1]) turnover = traded = 0;
    turnover += ((high[i]! + low[i]! + close[i]!) / 3) * volume[i]!;
    traded += volume[i]!;
    out[i] = turnover / traded;
  }
  return out;
}
