import type { Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { Side } from "../levels/side.ts";
import published from "./past-coverage.json" with { type: "json" };
import type { InstrumentKind } from "./profile.ts";

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

/** Returns whether forecasts of a kind are measured: of funds like cash and of leveraged ones there are too few. */
export const isMeasuredKind = (kind: InstrumentKind): boolean => kind !== "near_cash" && kind !== "leveraged";

/** Number of past forecasts below which an error is not measured. */
const MIN_FORECASTS = 500;

/**
 * Returns the error of the odds that a plan of a side reaches its target before its stop, 0-1: the upper end of the 95 %
 * interval of their calibration error in past daily forecasts of the class. Null if it is not measured: on bars other
 * than daily, and with fewer than 500 forecasts.
 */
export function planError(
  { assetClass, kind }: { readonly assetClass: AssetClass; readonly kind: InstrumentKind },
  side: Side,
  timeframe: Timeframe,
): number | null {
  if (!isMeasuredKind(kind)) return null;
  const errors: Readonly<Record<string, { readonly plans: number; readonly error_95: number | null }>> =
    published.plan_errors;
  const measured = errors[`${assetClass} ${side}`];
  return timeframe === "1d" && measured !== undefined && measured.plans >= MIN_FORECASTS
    ? measured.error_95
    : null;
}
