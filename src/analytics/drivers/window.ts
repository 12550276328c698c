/** Statistics of one window of values, for drivers that need only the last bar of a series. */

/** The last value of a series; NaN when it is empty. */
export const last = (series: Float64Array): number => series[series.length - 1] ?? Number.NaN;

/** The last `n` values as a view on the same memory; all of them when there are fewer. */
export const tail = (series: Float64Array, n: number): Float64Array =>
  series.subarray(Math.max(0, series.length - n));

/** Sum of the values. */
export function sum(values: Float64Array): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i]!;
  return total;
}

/** Arithmetic mean, exact where all values are equal; NaN of nothing. */
export function mean(values: Float64Array): number {
  const first = values[0] ?? Number.NaN;
  let total = 0;
  for (let i = 1; i < values.length; i++) total += values[i]! - first;
  return first + total / values.length;
}

/** Largest value; -Infinity of nothing. */
export function highest(values: Float64Array): number {
  let top = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) if (values[i]! > top) top = values[i]!;
  return top;
}

/** Smallest value; Infinity of nothing. */
export function lowest(values: Float64Array): number {
  let bottom = Number.POSITIVE_INFINITY;
  for (let i = 0; i < values.length; i++) if (values[i]! < bottom) bottom = values[i]!;
  return bottom;
}

/**
 * The middle value, or the mean of the two middle ones; NaN of nothing.
 * @see C. A. R. Hoare, "Algorithm 65: Find", Communications of the ACM 4 (1961)
 */
export function median(values: Float64Array): number {
  const found = values.slice();
  const half = found.length >> 1;
  if (found.some(Number.isNaN)) found.sort();
  else bringTo(found, half);
  if (found.length % 2 === 1) return found[half]!;
  return (highest(found.subarray(0, half)) + found[half]!) / 2;
}

/** Orders values just so far that the one at a place is where sorting would put it, with no larger one before it. */
function bringTo(values: Float64Array, place: number): void {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[place]!;
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (pivot < values[j]!) j--;
      if (i > j) break;
      const swapped = values[i]!;
      values[i++] = values[j]!;
      values[j--] = swapped;
    }
    if (j < place) low = i;
    if (place < i) high = j;
  }
}

/** Share of `values` below `own`, ties counting half; `own` is one of them. In (0, 1). */
export function midRank(values: ArrayLike<number>, own: number): number {
  let below = 0;
  let ties = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value < own) below++;
    else if (value === own) ties++;
  }
  return (below + ties / 2) / values.length;
}

/** Least-squares line through equally spaced values: slope per step and R2, both 0 when they do not vary. */
export function fitLine(values: Float64Array): { readonly slope: number; readonly r2: number } {
  const n = values.length;
  const first = values[0]!; // measured from the first value, so that equal values vary by exactly 0
  let total = 0;
  for (let i = 0; i < n; i++) total += values[i]! - first;
  const middle = (n - 1) / 2;
  const average = total / n;
  let sxy = 0;
  let sxx = 0;
  let syy = 0;
  for (let i = 0; i < n; i++) {
    const x = i - middle;
    const y = values[i]! - first - average;
    sxy += x * y;
    sxx += x * x;
    syy += y * y;
  }
  if (syy === 0 || sxx === 0) return { slope: 0, r2: 0 };
  return { slope: sxy / sxx, r2: Math.min(1, (sxy * sxy) / (sxx * syy)) }; // rounding may exceed 1
}
