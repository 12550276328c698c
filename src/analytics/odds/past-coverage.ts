import type { Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import published from "./past-coverage.json" with { type: "json" };

/** Coverage of the 50, 80 and 90 % ranges: the share of past closes inside them, 0-1. */
export interface Coverage {
  /** Numbers of bars of the forecasts. */
  readonly bars: number;
  readonly forecasts: number;
  readonly cover_50: number;
  readonly cover_80: number;
  readonly cover_90: number;
}

/** Day on which the coverage was measured; its forecasts are earlier. */
export const COVERAGE_MEASURED = published.measured;

const coverageOf = (assetClass: AssetClass) => published[assetClass === "crypto" ? "crypto" : "us"];

/**
 * Returns the coverage of daily forecasts on past prices of US stocks and funds, or of coins, by number of bars; empty
 * on bars shorter than a day, on which none was measured. `npm run bench -- odds --write` measures it;
 * docs/odds.md describes the data.
 */
export const pastCoverage = (assetClass: AssetClass, timeframe: Timeframe): readonly Coverage[] =>
  timeframe === "1d"
    ? Object.entries(coverageOf(assetClass).horizons).map(([bars, coverage]) => ({
        bars: Number(bars),
        ...coverage,
      }))
    : [];

/** Describes the prices on which `pastCoverage` was measured, and when. */
export const coverageBasis = (assetClass: AssetClass): string =>
  `actual daily prices of ${coverageOf(assetClass).files} ${assetClass === "crypto" ? "coins" : "US stocks and funds"}, measured ${COVERAGE_MEASURED}`;
