/**
 * Returns the continuous ranked probability score of ascending samples against the actual value, in the unit of the
 * samples: 0 is best.
 * @see T. Gneiting and A. E. Raftery, "Strictly proper scoring rules", 2007
 */
export function crps(sorted: Float64Array, actual: number): number {
  const count = sorted.length;
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const value = sorted[i]!;
    sum += (value - actual) * ((actual < value ? count : 0) - i - 0.5);
  }
  return (2 * sum) / (count * count);
}

/**
 * Returns the mean pinball loss of quantiles against the actual value, doubled, so that with many quantiles it tends to
 * the continuous ranked probability score.
 * @see R. Koenker and G. Bassett, "Regression quantiles", 1978
 */
export function quantileScore(
  quantiles: ArrayLike<number>,
  shares: readonly number[],
  actual: number,
): number {
  let sum = 0;
  for (const [i, share] of shares.entries()) {
    const miss = actual - quantiles[i]!;
    sum += miss >= 0 ? share * miss : (share - 1) * miss;
  }
  return (2 * sum) / shares.length;
}

/** Returns the skill of a forecast, 1 - error / reference: 1 without error, 0 as good as the reference, negative if worse; null for a reference of 0. */
export const skill = (error: number, reference: number): number | null =>
  reference > 0 ? 1 - error / reference : null;
