/** Minimum overlap: this many neighbouring signals count as one. */
const MIN_OVERLAP = 20;

/**
 * Returns the effective number of independent outcomes among `n` overlapping ones, n / max(20, horizon): signals of
 * neighbouring bars share most of the `horizon` bars (an integer of at least 1) after them.
 */
export const effectiveCount = (n: number, horizon: number): number => n / Math.max(MIN_OVERLAP, horizon);

const Z95 = 1.959963984540054; // 97.5% quantile of the normal distribution

/** An interval of probabilities, each 0-1. */
export interface ProbabilityInterval {
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the 95% score interval of a share `rate` observed over `n` outcomes, which need not be an integer; null for
 * none.
 * @see E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927
 */
export function wilson(rate: number, n: number): ProbabilityInterval | null {
  if (!(n > 0)) return null;
  const z2 = Z95 * Z95;
  const middle = (rate + z2 / (2 * n)) / (1 + z2 / n);
  const halfWidth = (Z95 / (1 + z2 / n)) * Math.sqrt((rate * (1 - rate)) / n + z2 / (4 * n * n));
  return { low: Math.max(0, middle - halfWidth), high: Math.min(1, middle + halfWidth) };
}
