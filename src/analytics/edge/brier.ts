/** A decided question with its earlier forecasts; probabilities 0-1. */
export interface Resolved {
  readonly market: number;
  readonly news: number;
  /** Probability from price and volatility only. */
  readonly neutral: number;
  readonly happened: boolean;
}

/** Mean squared errors; 0 is best, constant even odds give .25. */
export interface BrierScores {
  readonly market: number;
  readonly news: number;
  readonly neutral: number;
  /** Brier score of always forecasting the base rate. It uses the outcomes, which no real forecast can. */
  readonly baseRateScore: number;
  /** Share of events that happened. */
  readonly base: number;
  readonly resolved: number;
}

/**
 * Returns the Brier scores of all forecasts over decided questions; null if there are none.
 * @see Glenn W. Brier, "Verification of Forecasts Expressed in Terms of Probability", Monthly Weather Review 78 (1950)
 */
export function brierScores(all: readonly Resolved[]): BrierScores | null {
  if (all.length === 0) return null;
  const mean = (of: (one: Resolved) => number) => all.reduce((sum, one) => sum + of(one), 0) / all.length;
  const came = ({ happened }: Resolved) => (happened ? 1 : 0);
  const base = mean(came);
  return {
    market: mean((one) => (one.market - came(one)) ** 2),
    news: mean((one) => (one.news - came(one)) ** 2),
    neutral: mean((one) => (one.neutral - came(one)) ** 2),
    baseRateScore: base * (1 - base),
    base,
    resolved: all.length,
  };
}
