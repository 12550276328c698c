import { type Bars, sliceBars } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { median } from "../statistics.ts";
import { barsInYear, barsPerDay } from "./bars-per-day.ts";

/** Kind of an instrument, by its class and its own volatility. */
export type InstrumentKind = "stock" | "fund" | "near_cash" | "leveraged" | "coin";

/** What the odds take from an instrument's own bars instead of a constant. */
export interface InstrumentProfile {
  readonly kind: InstrumentKind;
  /** Typical standard deviation of a session's log return: the median of the bars' own estimates, scaled to a session. */
  readonly sessionVolatility: number;
  /** Share of bars, 0-1, at one price: that of the close before them. */
  readonly emptyShare: number;
  /** Assumed change of the median price, as the log return of one bar. */
  readonly drift: number;
  /** The same in percent a year, to one decimal. */
  readonly yearlyDriftPercent: number;
  /** Share, 0-1, by which the forecast of a bar's log variance is drawn to the mean of the bars. */
  readonly reversion: number;
}

/** Largest drift of US stocks and funds, percent a year. */
const MAX_YEARLY_DRIFT = 5;
/** Yearly volatility from which the drift is the largest; below it, both are proportional. */
const FULL_DRIFT_VOLATILITY = 0.2;
/** Log return of a session that makes about 5 % a year. */
const SESSION_DRIFT = 2e-4;
/** Session volatility below which a stock or fund is like cash, or quiet, and above which a fund is like a leveraged one. */
const NEAR_CASH = 0.002;
const QUIET = 0.005;
const LEVERAGED = 0.025;
/** Reversion of coins and of quiet funds, chosen by coverage in quiet times (docs/odds.md). */
const REVERSION = 0.2;
/** Bars whose ranges are compared. */
const PROFILE_BARS = 1_251;

/** Returns the profile of an instrument from its newest 1,251 bars; volatility and drift are 0 if no bar has a range. */
export function instrumentProfile(bars: Bars, assetClass: AssetClass): InstrumentProfile {
  const { high, low, close, ...times } = sliceBars(bars, Math.max(0, bars.close.length - PROFILE_BARS));
  const deviations: number[] = [];
  for (let bar = 1; bar < close.length; bar++) {
    const before = close[bar - 1]!;
    const range = Math.log(Math.max(high[bar]!, before) / Math.min(low[bar]!, before));
    if (range > 0) deviations.push(range / Math.sqrt(4 * Math.LN2));
  }
  const barVolatility = median(deviations) ?? 0;
  const sessionVolatility = barVolatility * Math.sqrt(barsPerDay(times));
  const yearly = barVolatility * Math.sqrt(barsInYear(assetClass, times));
  const share = assetClass === "crypto" ? 0 : Math.min(1, yearly / FULL_DRIFT_VOLATILITY);
  const isQuiet = assetClass === "crypto" || sessionVolatility < QUIET;
  return {
    kind: kindOf(assetClass, sessionVolatility),
    sessionVolatility,
    emptyShare: close.length < 2 ? 0 : 1 - deviations.length / (close.length - 1),
    drift: (share * SESSION_DRIFT) / barsPerDay(times),
    yearlyDriftPercent: Math.round(10 * share * MAX_YEARLY_DRIFT) / 10,
    reversion: isQuiet ? REVERSION : 0,
  };
}

function kindOf(assetClass: AssetClass, sessionVolatility: number): InstrumentKind {
  if (assetClass === "crypto") return "coin";
  if (sessionVolatility < NEAR_CASH) return "near_cash";
  if (assetClass === "equity") return "stock";
  return sessionVolatility > LEVERAGED ? "leveraged" : "fund";
}
