/** The deepest drawdown of a curve. */
export interface Deepest {
  readonly index: number;
  /** Percent, 0 or below. */
  readonly percent: number;
}

/** How far each value lies under the highest one so far, percent, 0 or below; NaN where it is no number or no peak is above 0. */
export function drawdownOf(values: Float64Array): Float64Array {
  let peak = Number.NEGATIVE_INFINITY;
  return values.map((value) => {
    if (Number.isFinite(value)) peak = Math.max(peak, value);
    return peak > 0 ? Math.min(0, (value / peak - 1) * 100) : Number.NaN;
  });
}

/** The first of the deepest points; null where the curve never fell. */
export function deepestOf(drawdown: Float64Array): Deepest | null {
  let deepest: Deepest | null = null;
  for (const [index, percent] of drawdown.entries())
    if (percent < (deepest?.percent ?? 0)) deepest = { index, percent };
  return deepest;
}
