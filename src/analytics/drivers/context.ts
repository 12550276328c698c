import type { Bars } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { stageAfter, weeksOf } from "../indicators/weinstein-stage.ts";
import { type Averages, averagesOf } from "./averages.ts";
import { median, tail } from "./window.ts";

/** Values of one symbol at its last bar that several drivers and the levels share; computed once per call. */
export interface DriverContext {
  readonly bars: Bars;
  /** Number of bars; the decision bar is the last. */
  readonly n: number;
  readonly close: number;
  /** Bars per year: 252, or 365 for markets that never close. */
  readonly year: number;
  readonly averages: Averages;
  /** ATR14 of every bar; NaN during warm-up. */
  readonly atr: Float64Array;
  /** ATR14 of the decision bar in price units; NaN with fewer than 15 bars. */
  readonly a: number;
  /** ATR14 / close over the last year, excluding warm-up. */
  readonly atrShare: Float64Array;
  /** The symbol's own volatility scale in [.5, 4]: 1 at a median ATR of 2% of price; NaN with fewer than 15 bars. */
  readonly v: number;
  /** Weinstein's stage 1-4; NaN until known. Excludes the decision bar's own week. */
  readonly stage: number;
}

const ATR_BARS = 14;
const USUAL_ATR_SHARE = 0.02;

export const barsPerYear = (assetClass: AssetClass): number => (assetClass === "crypto" ? 365 : 252);

/**
 * Computes the shared values. Pass `stage` to avoid recomputing it for the same bars with another last price.
 * @throws RangeError on empty bars
 */
export function driverContext(
  bars: Bars,
  assetClass: AssetClass,
  stage: number = stageAfter(weeksOf(bars).closes.subarray(0, -1)),
): DriverContext {
  const n = bars.close.length;
  if (n === 0) throw new RangeError("consensus: no bars");
  const year = barsPerYear(assetClass);
  const averages = averagesOf(bars);
  const ranges = averages.atr;
  const atrShare = new Float64Array(Math.max(0, Math.min(year, n - ATR_BARS)));
  for (let i = 0, bar = n - atrShare.length; bar < n; i++, bar++)
    atrShare[i] = ranges[bar]! / bars.close[bar]!;
  return {
    bars,
    n,
    close: bars.close[n - 1]!,
    year,
    averages,
    atr: ranges,
    a: ranges[n - 1]!,
    atrShare,
    v: Math.min(4, Math.max(0.5, median(atrShare) / USUAL_ATR_SHARE)),
    stage,
  };
}

/** Returns the closes of the last `count` bars as a view. */
export const lastCloses = (context: DriverContext, count: number): Float64Array =>
  tail(context.bars.close, count);
