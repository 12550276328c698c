import { mean } from "../statistics.ts";

/** Moments of a sample of daily returns, as fractions. */
export interface Moments {
  readonly count: number;
  readonly mean: number;
  /** Sample standard deviation, over n - 1. */
  readonly deviation: number;
  /** Population skewness; 0 for a normal distribution. */
  readonly skewness: number;
  /** Population kurtosis, not excess kurtosis; 3 for a normal distribution. */
  readonly kurtosis: number;
}

/** Returns the moments of returns; null if there are fewer than two or all are equal. */
export function momentsOf(returns: Float64Array): Moments | null {
  const count = returns.length;
  if (count < 2) return null;
  const middle = mean(returns);
  let [second, third, fourth, sumOfSquares] = [0, 0, 0, 0];
  for (const value of returns) {
    const off = value - middle;
    const square = off * off;
    second += square;
    third += square * off;
    fourth += square * square;
    sumOfSquares += value * value;
  }
  if (!(second > sumOfSquares * ROUNDING_TOLERANCE)) return null;
  const variance = second / count;
  return {
    count,
    mean: middle,
    deviation: Math.sqrt(second / (count - 1)),
    skewness: third / count / variance ** 1.5,
    kurtosis: fourth / count / (variance * variance),
  };
}

/** Sums of squared deviations below this fraction of the sum of squares count as rounding error. */
export const ROUNDING_TOLERANCE = 1e-24;

/**
 * Returns the annualised arithmetic Sharpe ratio of daily returns: mean over sample standard deviation, times the
 * square root of `year`, the number of trading days per year. The risk-free rate is 0. Null if undefined.
 * @see W. F. Sharpe, "The Sharpe ratio", 1994
 */
export function annualSharpe(returns: Float64Array, year: number): number | null {
  const moments = momentsOf(returns);
  return moments === null ? null : (moments.mean / moments.deviation) * Math.sqrt(year);
}
