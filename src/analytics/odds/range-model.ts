import type { Bars } from "../../domain/market/bars.ts";
import { mean, variance } from "../statistics.ts";

/** Minimum number of bars for a forecast. */
export const MIN_ODDS_BARS = 120;
/** Maximum number of bars that a forecast reads: a full bank and the bars before it that its first forecast needs. */
export const ODDS_BARS = 1_251;

/** Numbers of bars of the means of log variances. */
export const LONG = 250;
export const MIDDLE = 22;
export const SHORT = 5;
/** Up to this number of bars, values before the first bar are replaced by the mean. */
const MAX_FILLED_BARS = 500;
/** Maximum number of bars in the bank. */
const BANK_BARS = 1_000;
/** Smallest variance of a bar: that of a bar without a range. */
const MIN_VARIANCE = 2.5e-7;

/**
 * Weights of the forecast, a heterogeneous autoregression, fitted once on data up to 2020 and shipped; docs/odds.md has its results.
 * @see F. Corsi, "A simple approximate long-memory model of realized volatility", 2009
 */
export const WEIGHTS = {
  constant: -0.3176,
  last: 0.1433,
  short: 0.3517,
  middle: 0.3645,
  long: 0.1078,
  fall: -0.076,
} as const;

/** Standardized past bars, each divided by the volatility that was forecast for it, oldest first. */
export interface Bank {
  /** Logs of open, high, low and close over the previous close, less the mean of the closes. */
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  /** Log variance less its forecast: the forecast error. */
  readonly error: Float64Array;
}

/** State at the last bar, from which paths start. */
export interface RangeModel {
  /** Forecast of the log variance of the next bar. */
  readonly next: number;
  /** Log variances of the last 250 bars, oldest first. */
  readonly recent: Float64Array;
  readonly bank: Bank;
}

/** Returns the forecast standard deviation of the log return of the next bar. */
export const nextVolatility = ({ next, bank }: RangeModel): number =>
  Math.exp(next / 2) * Math.sqrt(variance(bank.close));

/**
 * Returns the forecast of the log variance of a bar: `last`, `short`, `middle` and `long` are the previous log variance and
 * the means of 5, 22 and 250, `z` is the previous log return divided by the volatility that was forecast for it.
 */
export const forecastOf = (last: number, short: number, middle: number, long: number, z: number): number =>
  WEIGHTS.constant +
  WEIGHTS.last * last +
  WEIGHTS.short * short +
  WEIGHTS.middle * middle +
  WEIGHTS.long * long +
  WEIGHTS.fall * Math.min(z, 0);

/**
 * Returns the log variance of each bar after the first, estimated from its true range.
 * @see M. Parkinson, "The extreme value method for estimating the variance of the rate of return", 1980
 */
export function logVariances({ high, low, close }: Pick<Bars, "high" | "low" | "close">): Float64Array {
  const variances = new Float64Array(Math.max(0, close.length - 1));
  for (let bar = 1; bar < close.length; bar++) {
    const before = close[bar - 1]!;
    const range = Math.log(Math.max(high[bar]!, before) / Math.min(low[bar]!, before));
    variances[bar - 1] = Math.log(Math.max((range * range) / (4 * Math.LN2), MIN_VARIANCE));
  }
  return variances;
}

/**
 * Returns the model at the last bar. Uses no data after it. With at most 500 bars, values before the first bar are
 * replaced by the mean of the others, and all bars enter the bank.
 * @throws RangeError for fewer than 120 bars
 */
export function rangeModel(bars: Bars): RangeModel {
  const count = bars.close.length;
  if (count < MIN_ODDS_BARS)
    throw new RangeError(`A forecast needs ${MIN_ODDS_BARS} bars, there are ${count}`);
  const own = logVariances(bars);
  const filled = count <= MAX_FILLED_BARS ? LONG : 0;
  const values = new Float64Array(filled + own.length);
  if (filled > 0) values.fill(mean(own), 0, filled);
  values.set(own, filled);
  // the first value that all means precede, and the first that enters the bank
  const first = LONG;
  const start = Math.max(first, values.length - BANK_BARS);
  const size = values.length - start;
  const bank: Bank = {
    open: new Float64Array(size),
    high: new Float64Array(size),
    low: new Float64Array(size),
    close: new Float64Array(size),
    error: new Float64Array(size),
  };
  const sums = sumsBefore(values, first);
  let z = 0;
  for (let at = first; at < values.length; at++) {
    const forecast = sums.forecast(values[at - 1]!, z);
    const scale = Math.exp(-forecast / 2);
    const bar = at - filled + 1;
    const before = bars.close[bar - 1]!;
    const close = Math.log(bars.close[bar]! / before) * scale;
    z = close;
    if (at >= start) {
      bank.open[at - start] = Math.log(bars.open[bar]! / before) * scale;
      bank.high[at - start] = Math.log(bars.high[bar]! / before) * scale;
      bank.low[at - start] = Math.log(bars.low[bar]! / before) * scale;
      bank.close[at - start] = close;
      bank.error[at - start] = values[at]! - forecast;
    }
    sums.add(values, at);
  }
  const middle = mean(bank.close);
  for (const column of [bank.open, bank.high, bank.low, bank.close])
    for (let entry = 0; entry < size; entry++) column[entry]! -= middle;
  return {
    next: sums.forecast(values[values.length - 1]!, z),
    recent: values.slice(values.length - LONG),
    bank,
  };
}

/**
 * Returns at each bar the forecast of the log variance of the next bar, from the bars up to it. NaN for the first 250
 * bars: nothing is filled in, so that a value is the same whatever bars follow.
 */
export function varianceForecasts(bars: Pick<Bars, "high" | "low" | "close">): Float64Array {
  const { close } = bars;
  const forecasts = new Float64Array(close.length).fill(Number.NaN);
  if (close.length <= LONG) return forecasts;
  const values = logVariances(bars);
  const sums = sumsBefore(values, LONG);
  forecasts[LONG] = sums.forecast(values[LONG - 1]!, 0);
  for (let bar = LONG + 1; bar < close.length; bar++) {
    sums.add(values, bar - 1);
    const z = Math.log(close[bar]! / close[bar - 1]!) * Math.exp(-forecasts[bar - 1]! / 2);
    forecasts[bar] = sums.forecast(values[bar - 1]!, z);
  }
  return forecasts;
}

/** Returns the sums of the 5, 22 and 250 values before `end`. */
export function meanSums(
  values: Float64Array,
  end: number,
): { readonly short: number; readonly middle: number; readonly long: number } {
  let [short, middle, long] = [0, 0, 0];
  for (let back = 1; back <= LONG; back++) {
    const value = values[end - back]!;
    if (back <= SHORT) short += value;
    if (back <= MIDDLE) middle += value;
    long += value;
  }
  return { short, middle, long };
}

/** Returns the rolling sums of the values before `first`. */
function sumsBefore(values: Float64Array, first: number) {
  let { short, middle, long } = meanSums(values, first);
  return {
    forecast: (last: number, z: number) => forecastOf(last, short / SHORT, middle / MIDDLE, long / LONG, z),
    add(all: Float64Array, at: number) {
      short += all[at]! - all[at - SHORT]!;
      middle += all[at]! - all[at - MIDDLE]!;
      long += all[at]! - all[at - LONG]!;
    },
  };
}
