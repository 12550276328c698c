/** The deepest drawdown of a curve. */
export interface Deepest {
  readonly index: number;
  /** Percent, 0 or below. */
  readonly percent: number;
}

/**
 * Returns the distance of each value below the highest one so far, in percent, 0 or below; NaN if the value is not a
 * number or no value so far is above 0.
 */
export function drawdownOf(values: Float64Array): Float64Array {
  let peak = Number.NEGATIVE_INFINITY;
  return values.map((value) => {
    if (Number.isFinite(value)) peak = Math.max(peak, value);
    return peak > 0 ? Math.min(0, (value / peak - 1) * 100) : Number.NaN;
  });
}

/** Returns the first of the deepest points; null if the curve never fell. */
export function deepestOf(drawdown: Float64Array): Deepest | null {
  let deepest: Deepest | null = null;
  for (const [index, percent] of drawdown.entries())
    if (percent < (deepest?.percent ?? 0)) deepest = { index, percent };
  return deepest;
}
