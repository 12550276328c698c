/** A figure, or the reason why it is undefined. */
export type Figure = number | string;

/** The mean of numbers; NaN of none. */
export const mean = (values: ArrayLike<number>): number => sum(values) / values.length;

/** The sum of numbers, in their order. */
export function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i]!;
  return total;
}

/** Variance of a sample, over n - 1; NaN under two. */
export function variance(values: ArrayLike<number>): number {
  const middle = mean(values);
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i]! - middle) ** 2;
  return squares / (values.length - 1);
}
