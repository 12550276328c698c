import type { BarTimeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";

/** Assumed drift of US stocks and funds: log return of one session, about 5% a year. */
const SESSION_DRIFT = 2e-4;
/** The same over a year of 252 sessions, percent. */
const YEARLY_DRIFT_PERCENT = 5;
/** Bars of a regular session; weekly bars hold five sessions. */
const BARS_PER_SESSION = {
  "1w": 1 / 5,
  "1d": 1,
  "4h": 2,
  "1h": 7,
  "30m": 13,
  "15m": 26,
  "5m": 78,
  "1m": 390,
} as const satisfies Record<BarTimeframe, number>;

/** Returns the assumed drift of one bar as a log return: 5% a year for US stocks and funds, 0 for crypto. */
export const driftOf = (assetClass: AssetClass, timeframe: BarTimeframe): number =>
  assetClass === "crypto" ? 0 : SESSION_DRIFT / BARS_PER_SESSION[timeframe];

/** Returns the assumed drift in percent a year. */
export const yearlyDriftPercent = (assetClass: AssetClass): number =>
  assetClass === "crypto" ? 0 : YEARLY_DRIFT_PERCENT;
