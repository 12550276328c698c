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
/** Ranges below this log ratio are rounding of adjusted prices: such a bar is at one price. */
const NO_RANGE = 1e-6;
/** Log variance of a bar of that range: the usual one of bars at one price. */
const SMALLEST = Math.log(NO_RANGE ** 2 / (4 * Math.LN2));
/** Largest absolute forecast error of a log variance; a bar beyond it counts as one at it. */
export const MAX_ERROR = 5;
/** Largest absolute standardized log price of a bank entry; an entry beyond it is scaled down to it. */
export const MAX_STANDARDIZED = 12;

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
  /** Largest log variance of the known bars; none of a path is larger. */
  readonly highest: number;
  /** Weights with which the log variance was forecast. */
  readonly weights: RangeWeights;
  readonly bank: Bank;
}

/** Returns the forecast standard deviation of the log return of the next bar. */
export const nextVolatility = ({ next, bank }: RangeModel): number =>
  Math.exp(next / 2) * Math.sqrt(variance(bank.close));

/** Weights of the forecast of a log variance. */
export interface RangeWeights {
  readonly constant: number;
  readonly last: number;
  readonly short: number;
  readonly middle: number;
  readonly long: number;
  readonly fall: number;
}

/** Returns the weights of a forecast that reverts by a share, 0-1, to a mean log variance. */
const revertTo = (usual: number, share: number): RangeWeights => ({
  constant: (1 - share) * WEIGHTS.constant + share * usual,
  last: (1 - share) * WEIGHTS.last,
  short: (1 - share) * WEIGHTS.short,
  middle: (1 - share) * WEIGHTS.middle,
  long: (1 - share) * WEIGHTS.long,
  fall: WEIGHTS.fall,
});

/**
 * Returns the log variance of each bar after the first, estimated from its true range; minus infinity for a bar at one
 * price.
 * @see M. Parkinson, "The extreme value method for estimating the variance of the rate of return", 1980
 */
export function logVariances({ high, low, close }: Pick<Bars, "high" | "low" | "close">): Float64Array {
  const variances = new Float64Array(Math.max(0, close.length - 1));
  for (let bar = 1; bar < close.length; bar++) {
    const before = close[bar - 1]!;
    const range = Math.log(Math.max(high[bar]!, before) / Math.min(low[bar]!, before));
    variances[bar - 1] =
      range < NO_RANGE ? Number.NEGATIVE_INFINITY : Math.log((range * range) / (4 * Math.LN2));
  }
  return variances;
}

/** Returns the mean of the log variances of the bars that have a range; NaN if none has. */
export const meanLogVariance = (values: Float64Array): number => mean(values.filter(Number.isFinite));

/**
 * Returns the model at the last bar. Uses no data after it. With at most 500 bars, values before the first bar are
 * replaced by the mean of the others, and all bars enter the bank. `reversion`: share, 0-1, by which forecasts are
 * drawn to the mean of the bars. A bar at one price says nothing about the variance of a trade: its forecast error is 0.
 * @throws RangeError for fewer than 120 bars, or if no bar has a range
 */
export function rangeModel(bars: Bars, reversion = 0): RangeModel {
  const count = bars.close.length;
  if (count < MIN_ODDS_BARS)
    throw new RangeError(`A forecast needs ${MIN_ODDS_BARS} bars, there are ${count}`);
  const own = logVariances(bars);
  const usual = meanLogVariance(own);
  if (Number.isNaN(usual)) throw new RangeError("A forecast needs bars with a range, all are at one price");
  const filled = count <= MAX_FILLED_BARS ? LONG : 0;
  const values = new Float64Array(filled + own.length);
  values.fill(usual, 0, filled);
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
  const weights = revertTo(usual, reversion);
  const next = walk(values, bars.close, weights, (forecast, at) => {
    if (at < start) return;
    const bar = at - filled + 1;
    const before = bars.close[bar - 1]!;
    const farthest = Math.log(Math.max(bars.high[bar]! / before, before / bars.low[bar]!));
    const scale = Math.min(Math.exp(-forecast / 2), MAX_STANDARDIZED / farthest);
    for (const column of PRICES) bank[column][at - start] = Math.log(bars[column][bar]! / before) * scale;
    bank.error[at - start] = values[at]! - forecast;
  });
  const middle = mean(bank.close);
  for (const column of PRICES) for (let entry = 0; entry < size; entry++) bank[column][entry]! -= middle;
  const highest = values.reduce((most, value) => Math.max(most, value));
  return { next, recent: values.slice(values.length - LONG), highest, weights, bank };
}

const PRICES = ["open", "high", "low", "close"] as const;

/**
 * Returns at each bar the forecast of the log variance of the next bar, from the bars up to it. NaN for the first 250
 * bars: nothing is filled in, so that a value is the same whatever bars follow.
 */
export function varianceForecasts(bars: Pick<Bars, "high" | "low" | "close">): Float64Array {
  const { close } = bars;
  const forecasts = new Float64Array(close.length).fill(Number.NaN);
  if (close.length <= LONG) return forecasts;
  const next = walk(logVariances(bars), close, WEIGHTS, (forecast, at) => {
    forecasts[at] = forecast;
  });
  forecasts[close.length - 1] = next;
  return forecasts;
}

/**
 * Calls `visit` with the forecast of each log variance after the first 250, which are the last `values.length` of the
 * closes, and returns the forecast of the one after the last. Replaces values farther than `MAX_ERROR` from their
 * forecast, and those of bars at one price by their forecast.
 */
function walk(
  values: Float64Array,
  close: Float64Array,
  weights: RangeWeights,
  visit: (forecast: number, at: number) => void,
): number {
  const known = meanLogVariance(values.subarray(0, LONG));
  const usual = Number.isNaN(known) ? SMALLEST : known;
  for (let at = 0; at < LONG; at++) values[at] = nearTo(usual, values[at]!);
  let { short, middle, long } = meanSums(values, LONG);
  let z = 0;
  const forecastAfter = (at: number) =>
    weights.constant +
    weights.last * values[at]! +
    (weights.short / SHORT) * short +
    (weights.middle / MIDDLE) * middle +
    (weights.long / LONG) * long +
    weights.fall * Math.min(z, 0);
  const offset = close.length - values.length;
  for (let at = LONG; at < values.length; at++) {
    const forecast = forecastAfter(at - 1);
    values[at] = nearTo(forecast, values[at]!);
    visit(forecast, at);
    const change = Math.log(close[at + offset]! / close[at + offset - 1]!) * Math.exp(-forecast / 2);
    z = Math.max(change, -MAX_STANDARDIZED);
    short += values[at]! - values[at - SHORT]!;
    middle += values[at]! - values[at - MIDDLE]!;
    long += values[at]! - values[at - LONG]!;
  }
  return forecastAfter(values.length - 1);
}

/** Returns a log variance at most `MAX_ERROR` from the expected one, or that for a bar at one price. */
const nearTo = (expected: number, value: number): number =>
  value === Number.NEGATIVE_INFINITY
    ? expected
    : Math.min(expected + MAX_ERROR, Math.max(expected - MAX_ERROR, value));

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
