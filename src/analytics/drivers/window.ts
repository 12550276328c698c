/** Statistics of one window of values, for drivers that use only the last bar of a series. */

/** Returns the last value of a series; NaN if it is empty. */
export const last = (series: Float64Array): number => series[series.length - 1] ?? Number.NaN;

/** Returns the last `n` values, or all if there are fewer, as a view on the same memory. */
export const tail = (series: Float64Array, n: number): Float64Array =>
  series.subarray(Math.max(0, series.length - n));

export function sum(values: Float64Array): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i]!;
  return total;
}

/** Returns the arithmetic mean, exact if all values are equal; NaN if empty. */
export function mean(values: Float64Array): number {
  const first = values[0] ?? Number.NaN;
  let total = 0;
  for (let i = 1; i < values.length; i++) total += values[i]! - first;
  return first + total / values.length;
}

/** Returns the largest value; -Infinity if empty. */
export function highest(values: Float64Array): number {
  let top = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) if (values[i]! > top) top = values[i]!;
  return top;
}

/** Returns the smallest value; Infinity if empty. */
export function lowest(values: Float64Array): number {
  let bottom = Number.POSITIVE_INFINITY;
  for (let i = 0; i < values.length; i++) if (values[i]! < bottom) bottom = values[i]!;
  return bottom;
}

/**
 * Returns the median; NaN if empty.
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

/**
 * Partially sorts values in place: the value at `place` is the one that sorting would put there, and no value before it
 * is larger.
 */
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

/** Returns the share of `values` below `own`, counting half of the ties; `own` is one of them. In (0, 1). */
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

/**
 * Fits a least-squares line through equally spaced values; returns slope per step and R2, both 0 if the values do not
 * vary.
 */
export function fitLine(values: Float64Array): { readonly slope: number; readonly r2: number } {
  const n = values.length;
  const first = values[0]!; // relative to the first value, so that equal values vary by exactly 0
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
