import { normalCdf, normalQuantile } from "../../../src/analytics/backtest/normal.ts";
import { shareAtLeast, shareAtMost } from "../../../src/analytics/odds/odds.ts";
import type { PathEnds } from "../../../src/analytics/odds/paths.ts";
import { sortedQuantile } from "../../../src/analytics/odds/quantiles.ts";
import { crps } from "../../../src/analytics/odds/scores.ts";
import { touchProbability } from "../../support/brownian.ts";

/** A forecast of the log return over a number of bars. */
export interface Forecast {
  /** Returns the log return that the close is below with a probability. */
  quantile(probability: number): number;
  /** Returns the continuous ranked probability score: 0 is best. */
  crps(happened: number): number;
  /** Returns the odds of touching a level, a log ratio other than 0. */
  touch(level: number): number;
  /** Odds of a higher close. */
  readonly rise: number;
}

/** Smallest volatility of a normal forecast: that of a price that does not move. */
const MIN_VOLATILITY = 1e-9;

export function forecastOfPaths({ close, high, low }: PathEnds): Forecast {
  const sorted = close.slice().sort();
  return {
    quantile: (probability) => sortedQuantile(sorted, probability),
    crps: (happened) => crps(sorted, happened),
    touch: (level) => (level > 0 ? shareAtLeast(high, level) : shareAtMost(low, level)),
    rise: 1 - shareAtMost(sorted, 0),
  };
}

/**
 * Returns a normal forecast; odds of touching a level are those of a Brownian motion without drift.
 * @see T. Gneiting and A. E. Raftery, "Strictly proper scoring rules", 2007, the score of a normal distribution
 */
export function normalForecast(mean: number, standardDeviation: number): Forecast {
  const volatility = Math.max(MIN_VOLATILITY, standardDeviation);
  return {
    quantile: (probability) => mean + volatility * normalQuantile(probability),
    crps(happened) {
      const z = (happened - mean) / volatility;
      const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
      return volatility * (z * (2 * normalCdf(z) - 1) + 2 * density - 1 / Math.sqrt(Math.PI));
    },
    touch: (level) => touchProbability(level, volatility),
    rise: normalCdf(mean / volatility),
  };
}
