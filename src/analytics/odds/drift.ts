import type { Bars } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { barsPerDay } from "./bars-per-day.ts";

/** Assumed drift of US stocks and funds: log return of one session, about 5% a year. */
const SESSION_DRIFT = 2e-4;
/** The same over a year of 252 sessions, percent. */
const YEARLY_DRIFT_PERCENT = 5;

/**
 * Returns the assumed drift of one bar as a log return: 5% a year for US stocks and funds, shared by the bars of a day;
 * 0 for crypto.
 */
export const driftOf = (assetClass: AssetClass, bars: Pick<Bars, "time" | "timeframe">): number =>
  assetClass === "crypto" ? 0 : SESSION_DRIFT / barsPerDay(bars);

/** Returns the assumed drift in percent a year. */
export const yearlyDriftPercent = (assetClass: AssetClass): number =>
  assetClass === "crypto" ? 0 : YEARLY_DRIFT_PERCENT;
