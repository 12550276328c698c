import { mean } from "../statistics.ts";

/** Moments of a sample of daily returns, as fractions. */
export interface Moments {
  readonly count: number;
  readonly mean: number;
  /** Sample standard deviation, over n - 1. */
  readonly deviation: number;
  /** Third standardised moment of the population, 0 for a normal one. */
  readonly skewness: number;
  /** Fourth standardised moment of the population, 3 for a normal one (not the excess). */
  readonly kurtosis: number;
}

/** The moments of returns, or null where there are fewer than two or all are the same. */
export function momentsOf(returns: Float64Array): Moments | null {
  const count = returns.length;
  if (count < 2) return null;
  const middle = mean(returns);
  let [second, third, fourth, size] = [0, 0, 0, 0];
  for (const value of returns) {
    const off = value - middle;
    const square = off * off;
    second += square;
    third += square * off;
    fourth += square * square;
    size += value * value;
  }
  if (!(second > size * FLAT)) return null;
  const variance = second / count;
  return {
    count,
    mean: middle,
    deviation: Math.sqrt(second / (count - 1)),
    skewness: third / count / variance ** 1.5,
    kurtosis: fourth / count / (variance * variance),
  };
}

/** Squares that are this much smaller than what they were taken from are rounding. */
export const FLAT = 1e-24;

/**
 * Arithmetic Sharpe ratio of daily returns over a year of `year` trading days: mean over sample standard deviation, no
 * riskless rate; null where it is not defined.
 * @see W. F. Sharpe, "The Sharpe ratio", 1994
 */
export function annualSharpe(returns: Float64Array, year: number): number | null {
  const moments = momentsOf(returns);
  return moments === null ? null : (moments.mean / moments.deviation) * Math.sqrt(year);
}
