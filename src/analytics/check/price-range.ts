import { isMeasuredKind, pastCoverage } from "../odds/past-coverage.ts";
import { quantilesOf } from "../odds/quantiles.ts";
import { type Windows, type WindowsRequest, windowsOf } from "./windows.ts";

/** Prices that the close is below with a probability of 5 and of 95 %. */
interface Percentiles {
  readonly p5: number;
  readonly p95: number;
}

/** Range of the price after a number of bars. */
export interface PriceRange extends Percentiles {
  readonly bars: number;
  /** The same of the past windows of the symbol, from the same price. */
  readonly base: Percentiles;
  /**
   * Share of past closes inside the 90 % range, 0-1, of the asset class and of the measured number of bars that is nearest,
   * of two equally near the smaller. Null if none was measured: on bars other than daily, of funds like cash and of
   * leveraged ones.
   */
  readonly pastCover90: number | null;
}

export type PriceRangeOutcome =
  | { readonly range: PriceRange; readonly reason: null }
  | { readonly range: null; readonly reason: string };

/**
 * Returns the range of the price at a horizon, or the reason why there is none. At the last close it equals that of
 * `oddsOf`.
 */
export function priceRangeOf(request: WindowsRequest): PriceRangeOutcome {
  const windows = windowsOf(request);
  return windows.paths === null
    ? { range: null, reason: windows.reason }
    : { range: rangeIn(windows, request), reason: null };
}

/** Returns the range of the price in windows. */
export function rangeIn({ paths, past, kind }: Windows, request: WindowsRequest): PriceRange {
  const { bars, assetClass, from, horizon } = request;
  const covers = bars.timeframe === "1d" && isMeasuredKind(kind) ? pastCoverage(assetClass, "1d") : [];
  const nearest = covers.toSorted((a, b) => Math.abs(a.bars - horizon) - Math.abs(b.bars - horizon))[0];
  return {
    bars: horizon,
    ...percentilesOf(paths.close, from),
    base: percentilesOf(past.close, from),
    pastCover90: nearest?.cover_90 ?? null,
  };
}

function percentilesOf(logs: Float64Array, from: number): Percentiles {
  const [p5, p95] = quantilesOf(logs, [0.05, 0.95]).map((log) => from * Math.exp(log)) as [number, number];
  return { p5, p95 };
}
