import type { BacktestResult } from "../../domain/backtest/backtest.ts";
import { type Moments, momentsOf } from "./moments.ts";
import { normalCdf, normalQuantile } from "./normal.ts";

const EULER = 0.577_215_664_901_532_9;

/**
 * Probability, 0-1, that the true Sharpe ratio is above `benchmark`, given the returns it was observed on. Both ratios
 * per observation, not per year. Fat tails and falls that are deeper than rises count against it. NaN for a shape of
 * returns under which the ratio has no error of estimation (its variance would not be positive).
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
 * The Sharpe ratio the best of `trials` independent trials is expected to show by chance alone, in the unit of the root
 * of `variance` (that of the trials' ratios); 0 for one trial.
 * @see D. H. Bailey and M. López de Prado, "The deflated Sharpe ratio", 2014, equation 1
 */
export function expectedBestSharpe(trials: number, variance: number): number {
  if (trials <= 1) return 0;
  const best =
    (1 - EULER) * normalQuantile(1 - 1 / trials) + EULER * normalQuantile(1 - 1 / (trials * Math.E));
  return Math.sqrt(variance) * best;
}

/** Trials made before one was chosen. */
export interface Trials {
  /** Number of trials, of this strategy and of others; at least 1. */
  readonly count: number;
  /** Of their arithmetic Sharpe ratios per day, over n - 1; null where fewer than two are known. */
  readonly variance: number | null;
}

/**
 * Probability that daily `returns` come from skill, given the trials made before they were chosen.
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
    return without("The returns are too skewed for the error of their Sharpe ratio");
  if (count > 1 && variance === null)
    return {
      ...without("How far the Sharpe ratios of the other trials lie apart is not known"),
      probabilistic,
    };
  const best = expectedBestSharpe(count, variance ?? 0);
  const deflated = probabilisticSharpe(sharpe, best, moments);
  return { probabilistic, deflated, trials: count, reason: null };
}
