/** Returns the maximum drawdown at closes in percent; at most 0. */
export const maxDrawdownPct = ({ deepest }: Pick<Drawdowns, "deepest">): number => -100 * deepest + 0;

export interface Drawdowns {
  /** Maximum drawdown as a fraction of the preceding peak; 0 if equity never fell. */
  readonly deepest: number;
  /** Depth of each drawdown that lasted more than one bar, as fractions. */
  readonly depths: readonly number[];
  /** Duration of each of those drawdowns in ms, from its peak to the first bar that recovers it, or to the end. */
  readonly lengths: readonly number[];
}

/** Returns the drawdowns of equity at closes. A fall in the last bar only counts for `deepest`, not as a drawdown. */
export function drawdownsOf(time: Float64Array, equity: Float64Array): Drawdowns {
  const depths: number[] = [];
  const lengths: number[] = [];
  let deepest = 0;
  let peak = Number.NEGATIVE_INFINITY;
  let since = 0; // last bar at a peak
  let depth = 0;
  const last = equity.length - 1;
  for (let t = 0; t <= last; t++) {
    const worth = equity[t]!;
    peak = Math.max(peak, worth);
    const fall = 1 - worth / peak;
    depth = Math.max(depth, fall);
    if (fall > 0 && t < last) continue;
    if (t > since + 1) {
      depths.push(depth);
      lengths.push(time[t]! - time[since]!);
    }
    deepest = Math.max(deepest, depth);
    since = t;
    depth = 0;
  }
  return { deepest, depths, lengths };
}
