/** A label with its desired middle `at` and its `height`. */
export interface LabelPosition {
  readonly at: number;
  readonly height: number;
}

/**
 * Returns the middles of labels below one another, each as near to its desired middle as possible, without overlap, and
 * between `top` and `bottom` if they fit; in the order of `wanted`.
 * @see Robertson, Wright and Dykstra, "Order Restricted Statistical Inference" (1988): pool adjacent violators
 */
export function spreadLabels(
  wanted: readonly LabelPosition[],
  top: number,
  bottom: number,
): readonly number[] {
  const order = [...wanted.keys()].sort((a, b) => wanted[a]!.at - wanted[b]!.at || a - b);
  // with the heights above each label subtracted, positions must not decrease
  const pools: { sum: number; count: number }[] = [];
  const above: number[] = [];
  let used = 0;
  for (const index of order) {
    const { at, height } = wanted[index]!;
    above.push(used + height / 2);
    pools.push({ sum: at - (used + height / 2), count: 1 });
    used += height;
    while (pools.length > 1) {
      const [before, last] = pools.slice(-2) as [(typeof pools)[0], (typeof pools)[0]];
      if (before.sum / before.count <= last.sum / last.count) break;
      pools.splice(-2, 2, { sum: before.sum + last.sum, count: before.count + last.count });
    }
  }
  const rising = pools.flatMap(({ sum, count }) => Array<number>(count).fill(sum / count));
  const middles = new Array<number>(wanted.length);
  for (const [place, index] of order.entries())
    middles[index] = Math.max(top, Math.min(rising[place]!, bottom - used)) + above[place]!;
  return middles;
}
