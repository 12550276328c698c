/**
 * Returns the optimal string alignment distance of `a` and `b`: single-letter insertions, deletions, replacements and
 * swaps of neighbours, no letter edited twice. Returns `max + 1` if it exceeds `max`.
 * @see Damerau, "A technique for computer detection and correction of spelling errors", 1964
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, before[j - 2]! + 1);
      row.push(cost);
    }
    // a swap uses the row before the previous one, so both rows must exceed the maximum
    if (Math.min(...row) > max && Math.min(...previous) > max) return max + 1;
    before = previous;
    previous = row;
  }
  return Math.min(previous[b.length]!, max + 1);
}
