import type { BacktestResult } from "../../domain/backtest/backtest.ts";
import { mean } from "../statistics.ts";
import { ROUNDING_TOLERANCE } from "./moments.ts";
import type { Random } from "./random.ts";

/** Minimum number of days for an interval. */
export const MIN_DAYS = 30;

/** Default number of resamples. */
export const RESAMPLES = 1000;

/** Figures of a run with their 95 % intervals; null with a reason if undefined. */
export type Intervals = BacktestResult["intervals"];
export type Interval = Intervals[keyof Intervals];

export interface BootstrapOptions {
  /** Trading days per year. */
  readonly year: number;
  readonly random: Random;
  readonly resamples?: number;
}

/** Returns the mean block length in days: the cube root of `days`, at least 5. */
export const meanBlockLength = (days: number): number => Math.max(5, Math.round(Math.cbrt(days)));

/**
 * Returns 95 % percentile intervals of the figures of daily `returns` (fractions), by the stationary bootstrap. Each
 * resample has as many days as `returns` and consists of blocks with random starts and geometric lengths; the mean
 * length is n^(1/3) days, at least 5. Blocks wrap around the end and preserve runs of good and bad days. Fewer than 30
 * days, a return of -1 or below, or no movement give null with a reason.
 * @see D. N. Politis and J. P. Romano, "The stationary bootstrap", 1994
 */
export function bootstrap(
  returns: Float64Array,
  { year, random, resamples = RESAMPLES }: BootstrapOptions,
): Intervals {
  const days = returns.length;
  const block = meanBlockLength(days);
  const all = (figure: Interval): Intervals => ({
    annual_return_pct: figure,
    sharpe_arithmetic: figure,
    mean_daily_return_pct: figure,
  });
  if (days < MIN_DAYS) return all(without(`${days} days are fewer than ${MIN_DAYS}`));
  if (returns.some((value) => !(value > -1))) return all(without("Equity fell to 0"));
  const totals = totalsOf(returns);
  if (!(totals.squares[days]! > 0)) return all(without("Equity did not move"));

  const annual = new Float64Array(resamples);
  const sharpe = new Float64Array(resamples);
  const daily = new Float64Array(resamples);
  for (let draw = 0; draw < resamples; draw++) {
    const figures = figuresOf(resample(totals, days, block, random), totals, days, year);
    annual[draw] = figures.annual;
    sharpe[draw] = figures.sharpe;
    daily[draw] = figures.daily;
  }
  const totalsOfAll = { sum: totals.sums[days]!, squares: totals.squares[days]!, log: totals.logs[days]! };
  const observed = figuresOf(totalsOfAll, totals, days, year);
  return {
    annual_return_pct: measured(observed.annual, annual),
    sharpe_arithmetic: sharpe.some(Number.isNaN)
      ? without("Equity moved on too few days")
      : measured(observed.sharpe, sharpe),
    mean_daily_return_pct: measured(observed.daily, daily),
  };
}

const without = (reason: string): Interval => ({ value: null, low: null, high: null, reason });
const measured = (value: number, drawn: Float64Array): Interval => ({
  value,
  ...percentileInterval(drawn),
  reason: null,
});

interface Sums {
  readonly sum: number;
  readonly squares: number;
  readonly log: number;
}

/**
 * Cumulative sums over two copies of the returns, so that any block, even one that wraps around, is summed in constant
 * time.
 */
interface Totals {
  /** Mean return, subtracted before summing to avoid loss of precision. */
  readonly centre: number;
  readonly sums: Float64Array;
  readonly squares: Float64Array;
  readonly logs: Float64Array;
}

function totalsOf(returns: Float64Array): Totals {
  const days = returns.length;
  const centre = mean(returns);
  const sums = new Float64Array(2 * days + 1);
  const squares = new Float64Array(2 * days + 1);
  const logs = new Float64Array(2 * days + 1);
  const least = returns.reduce((sum, value) => sum + value * value, 0) * ROUNDING_TOLERANCE;
  for (let i = 0; i < 2 * days; i++) {
    const off = returns[i % days]! - centre;
    sums[i + 1] = sums[i]! + off;
    squares[i + 1] = squares[i]! + (off * off * days > least ? off * off : 0);
    logs[i + 1] = logs[i]! + Math.log1p(returns[i % days]!);
  }
  return { centre, sums, squares, logs };
}

function resample({ sums, squares, logs }: Totals, days: number, block: number, random: Random): Sums {
  const perEnd = 1 / Math.log1p(-1 / block);
  let [sum, square, log] = [0, 0, 0];
  for (let daysLeft = days; daysLeft > 0; ) {
    const start = random.below(days);
    const length = Math.min(daysLeft, 1 + Math.floor(Math.log1p(-random.unit()) * perEnd));
    sum += sums[start + length]! - sums[start]!;
    square += squares[start + length]! - squares[start]!;
    log += logs[start + length]! - logs[start]!;
    daysLeft -= length;
  }
  return { sum, squares: square, log };
}

function figuresOf({ sum, squares, log }: Sums, totals: Totals, days: number, year: number) {
  const daily = totals.centre + sum / days;
  const spread = squares - (sum * sum) / days;
  // a smaller spread is rounding error: the resample did not move
  const moved = spread > totals.squares[days]! * 1e-9;
  return {
    annual: 100 * Math.expm1((log / days) * year),
    sharpe: moved ? (daily / Math.sqrt(spread / (days - 1))) * Math.sqrt(year) : Number.NaN,
    daily: 100 * daily,
  };
}

/** Returns the 2.5 % and 97.5 % quantiles by linear interpolation. @see R. J. Hyndman and Y. Fan, 1996, definition 7 */
function percentileInterval(drawn: Float64Array): { readonly low: number; readonly high: number } {
  const sorted = drawn.toSorted();
  const at = (share: number): number => {
    const rank = share * (sorted.length - 1);
    const below = sorted[Math.floor(rank)]!;
    return below + (rank - Math.floor(rank)) * (sorted[Math.ceil(rank)]! - below);
  };
  return { low: at(0.025), high: at(0.975) };
}
