/** Shares of the published quantiles, ascending. */
export const QUANTILES = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95] as const;

/**
 * Returns the quantile of ascending values at a share 0-1, by linear interpolation; NaN if empty.
 * @see R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", 1996, definition 7
 */
export function sortedQuantile(sorted: Float64Array, share: number): number {
  const rank = share * (sorted.length - 1);
  const below = Math.floor(rank);
  const value = sorted[below] ?? Number.NaN;
  return value + (rank - below) * ((sorted[below + 1] ?? value) - value);
}
