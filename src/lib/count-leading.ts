/**
 * Returns the number of leading indexes below `length` for which `holds` is true, by bisection. `holds` must be false
 * for all later indexes.
 */
export function countLeading(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
