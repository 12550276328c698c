/** One measured figure, and the figure to reach. */
export interface Row {
  readonly measure: string;
  readonly value: string;
  /** Empty if none is set. */
  readonly reach: string;
  /** null if no figure is set. */
  readonly reached: boolean | null;
}

/** Returns a row of a figure that must not be below another. */
export const atLeast = (measure: string, value: number, reach: number, text = value.toFixed(2)): Row => ({
  measure,
  value: text,
  reach: `>= ${reach}`,
  reached: value >= reach,
});

/** Returns a row of a figure that must not be above another. */
export const atMost = (measure: string, value: number, reach: number, unit: string): Row => ({
  measure,
  value: `${Math.round(value)} ${unit}`,
  reach: `<= ${reach} ${unit}`,
  reached: value <= reach,
});

/** Returns a row without a figure to reach. */
export const only = (measure: string, value: string): Row => ({ measure, value, reach: "", reached: null });
