/** Probabilities of the published quantiles, ascending. */
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

/** Returns quantiles of values in any order, at ascending shares 0-1, without sorting all of them. */
export function quantilesOf(values: Float64Array, shares: readonly number[]): number[] {
  const partly = values.slice();
  const last = partly.length - 1;
  let placed = 0;
  return shares.map((share) => {
    const below = Math.floor(share * last);
    for (const rank of [below, Math.min(below + 1, last)]) {
      placeRank(partly, rank, placed);
      placed = Math.max(0, rank);
    }
    return sortedQuantile(partly, share);
  });
}

/**
 * Moves the value of a rank to its place in the ascending order, smaller ones before and larger ones after it. Those
 * before `from` are in place.
 * @see C. A. R. Hoare, "Algorithm 65: FIND", 1961
 */
function placeRank(values: Float64Array, rank: number, from: number): void {
  let [low, high] = [from, values.length - 1];
  while (low < high) {
    const pivot = values[(low + high) >> 1]!;
    let [left, right] = [low, high];
    while (left <= right) {
      while (values[left]! < pivot) left++;
      while (values[right]! > pivot) right--;
      if (left > right) break;
      const moved = values[left]!;
      values[left++] = values[right]!;
      values[right--] = moved;
    }
    if (rank > right && rank < left) return;
    if (rank <= right) high = right;
    else low = left;
  }
}
