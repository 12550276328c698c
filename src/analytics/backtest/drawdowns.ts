/** Deepest fall of equity from a peak, at closes, percent; at most 0. */
export const maxDrawdownPct = ({ deepest }: Pick<Drawdowns, "deepest">): number => -100 * deepest + 0;

/** The falls of an equity curve under its peaks. */
export interface Drawdowns {
  /** Deepest fall, a fraction of the peak before it; 0 where equity never fell. */
  readonly deepest: number;
  /** Deepest point of each drawdown that lasted more than a bar, fractions. */
  readonly depths: readonly number[];
  /** Time each of them took from its peak to the first bar back there, or to the end, ms. */
  readonly lengths: readonly number[];
}

/** The drawdowns of equity, marked at closes; a fall in the last bar alone counts for the deepest, not as a drawdown. */
export function drawdownsOf(time: Float64Array, equity: Float64Array): Drawdowns {
  const depths: number[] = [];
  const lengths: number[] = [];
  let deepest = 0;
  let peak = Number.NEGATIVE_INFINITY;
  let since = 0; // the last bar at the peak
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
