/** Returns the sum of numbers, added in order. */
export function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i]!;
  return total;
}

/** Returns the mean of numbers; NaN if empty. */
export const mean = (values: ArrayLike<number>): number => sum(values) / values.length;

/** Returns the sample variance, over n - 1; NaN with fewer than two values. */
export function variance(values: ArrayLike<number>): number {
  const middle = mean(values);
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i]! - middle) ** 2;
  return squares / (values.length - 1);
}

/** Returns the median, the mean of the two middle values for an even count; null if empty. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  if (sorted.length === 0) return null;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
