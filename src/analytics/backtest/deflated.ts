import type { BacktestResult } from "../../domain/backtest/backtest.ts";
import { type Moments, momentsOf } from "./moments.ts";
import { normalCdf, normalQuantile } from "./normal.ts";

const EULER = 0.577_215_664_901_532_9;

/**
 * Returns the probability, 0-1, that the true Sharpe ratio exceeds `benchmark`, given the observed one. Both ratios
 * are per observation, not annualised. Fat tails and negative skew lower the probability. NaN if the moments give the
 * ratio a variance that is not positive.
 * @see D. H. Bailey and M. López de Prado, "The Sharpe ratio efficient frontier", 2012
 */
export function probabilisticSharpe(
  sharpe: number,
  benchmark: number,
  { count, skewness, kurtosis }: Pick<Moments, "count" | "skewness" | "kurtosis">,
): number {
  const spread = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe;
  return normalCdf(((sharpe - benchmark) * Math.sqrt(count - 1)) / Math.sqrt(spread));
}

/**
 * Returns the highest Sharpe ratio that chance is expected to produce in `trials` independent trials, where `variance`
 * is the variance of the trials' ratios. 0 for one trial.
 * @see D. H. Bailey and M. López de Prado, "The deflated Sharpe ratio", 2014, equation 1
 */
export function expectedBestSharpe(trials: number, variance: number): number {
  if (trials <= 1) return 0;
  const best =
    (1 - EULER) * normalQuantile(1 - 1 / trials) + EULER * normalQuantile(1 - 1 / (trials * Math.E));
  return Math.sqrt(variance) * best;
}

/** The trials from which one was selected. */
export interface Trials {
  /** Number of trials, including those of other strategies; at least 1. */
  readonly count: number;
  /** Sample variance (over n - 1) of their daily arithmetic Sharpe ratios; null if fewer than two are known. */
  readonly variance: number | null;
}

/**
 * Returns the probability that daily `returns` are due to skill, corrected for the number of trials. Null with a reason
 * if undefined.
 * @see D. H. Bailey and M. López de Prado, "The deflated Sharpe ratio", 2014, equation 2
 */
export function deflatedSharpe(
  returns: Float64Array,
  { count, variance }: Trials,
): BacktestResult["deflated_sharpe"] {
  const without = (reason: string) => ({ probabilistic: null, deflated: null, trials: count, reason });
  const moments = momentsOf(returns);
  if (moments === null) return without("Equity did not move, so there is no Sharpe ratio");
  const sharpe = moments.mean / moments.deviation;
  const probabilistic = probabilisticSharpe(sharpe, 0, moments);
  if (Number.isNaN(probabilistic))
    return without("The returns are too skewed to estimate the error of the Sharpe ratio");
  if (count > 1 && variance === null)
    return {
      ...without("The variance of the other trials' Sharpe ratios is unknown"),
      probabilistic,
    };
  const best = expectedBestSharpe(count, variance ?? 0);
  const deflated = probabilisticSharpe(sharpe, best, moments);
  return { probabilistic, deflated, trials: count, reason: null };
}
