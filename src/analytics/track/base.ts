import type { Bars } from "../../domain/market/bars.ts";
import type { BaseResult } from "../../domain/track-record/track.ts";
import { tradeResult } from "./outcome.ts";

/**
 * Distance of stop and first target from the close, in ATR14, of the usual plan: the shortest stop, and the target
 * without a pivot. They are the medians of the trades of the published record, for both directions and each asset class.
 */
export const BASE_PLAN = { stop: 1.5, target: 4.25 } as const;

/**
 * Returns the results in R of the usual plan decided at the close of bar `at`, whatever the signal said there: the base
 * with which the results of signals are compared. `atr` is ATR14 of the series, of which only bar `at` is used.
 */
export function baseResult(bars: Bars, at: number, atr: Float64Array): BaseResult {
  const range = atr[at];
  const close = bars.close[at];
  if (range === undefined || close === undefined || !(range > 0)) return { long: null, short: null };
  const [stop, target] = [BASE_PLAN.stop * range, BASE_PLAN.target * range];
  return {
    long: tradeResult(bars, at, { side: "LONG", stop: close - stop, target: close + target }),
    short: tradeResult(bars, at, { side: "SHORT", stop: close + stop, target: close - target }),
  };
}
