import { type Bars, sliceBars } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { mean, median, variance } from "../statistics.ts";
import { barsInYear, barsPerDay } from "./bars-per-day.ts";
import { ODDS_BARS } from "./range-model.ts";

/** Kind of an instrument, by its class and its own volatility. */
export type InstrumentKind = "stock" | "fund" | "near_cash" | "leveraged" | "coin";

/** What the odds take from an instrument's own bars instead of a constant. */
export interface InstrumentProfile {
  readonly kind: InstrumentKind;
  /** Typical standard deviation of a session's log return: the median of the bars' own estimates, scaled to a session. */
  readonly sessionVolatility: number;
  /** Share of bars, 0-1, at one price: that of the close before them. */
  readonly emptyShare: number;
  /** Assumed change of the median price, as the log return of one bar; 0 if no close moved. */
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
/** Standard errors from 0 from which the mean return of a fund near cash is taken as its drift. */
const CERTAIN = 4;

/**
 * Returns the profile of an instrument from its newest 1,251 bars; volatility and drift are 0 if no bar has a range. The
 * drift of a fund near cash whose price rose or fell steadily is its past one, because interest accrues in it.
 */
export function instrumentProfile(bars: Bars, assetClass: AssetClass): InstrumentProfile {
  const { high, low, close, ...times } = sliceBars(bars, Math.max(0, bars.close.length - ODDS_BARS));
  const deviations: number[] = [];
  for (let bar = 1; bar < close.length; bar++) {
    const before = close[bar - 1]!;
    const range = Math.log(Math.max(high[bar]!, before) / Math.min(low[bar]!, before));
    if (range > 0) deviations.push(range / Math.sqrt(4 * Math.LN2));
  }
  const barVolatility = median(deviations) ?? 0;
  const sessionVolatility = barVolatility * Math.sqrt(barsPerDay(times));
  const yearly = barVolatility * Math.sqrt(barsInYear(assetClass, times));
  const isQuiet = assetClass === "crypto" || sessionVolatility < QUIET;
  const kind = kindOf(assetClass, sessionVolatility);
  const past = pastDrift(close);
  const isAccruing = kind === "near_cash" && past.certainty >= CERTAIN;
  const share = Math.min(1, yearly / FULL_DRIFT_VOLATILITY);
  const usual = kind === "coin" || past.isFlat ? 0 : (share * SESSION_DRIFT) / barsPerDay(times);
  const drift = isAccruing ? past.drift : usual;
  return {
    kind,
    sessionVolatility,
    emptyShare: close.length < 2 ? 0 : 1 - deviations.length / (close.length - 1),
    drift,
    yearlyDriftPercent: Math.round((10 * MAX_YEARLY_DRIFT * drift * barsPerDay(times)) / SESSION_DRIFT) / 10,
    reversion: isQuiet ? REVERSION : 0,
  };
}

/** Returns the mean log return of the bars, how many standard errors it lies from 0, and whether no close moved. */
function pastDrift(close: Float64Array) {
  const returns = Float64Array.from({ length: Math.max(0, close.length - 1) }, (_, bar) =>
    Math.log(close[bar + 1]! / close[bar]!),
  );
  const drift = returns.length === 0 ? 0 : mean(returns);
  const spread = variance(returns);
  return {
    drift,
    certainty: Math.abs(drift) / Math.sqrt(spread / returns.length),
    isFlat: returns.every((change) => change === 0),
  };
}

function kindOf(assetClass: AssetClass, sessionVolatility: number): InstrumentKind {
  if (assetClass === "crypto") return "coin";
  if (sessionVolatility < NEAR_CASH) return "near_cash";
  if (assetClass === "equity") return "stock";
  return sessionVolatility > LEVERAGED ? "leveraged" : "fund";
}
