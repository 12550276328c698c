/** A measured figure and its target. */
export interface Row {
  readonly name: string;
  readonly value: string;
  /** Empty if there is no target. */
  readonly target: string;
  /** null if there is no target. */
  readonly isMet: boolean | null;
}

/** Returns the row of a figure whose target is a minimum. */
export const atLeast = (name: string, value: number, target: number, text = value.toFixed(2)): Row => ({
  name,
  value: text,
  target: `>= ${target}`,
  isMet: value >= target,
});

/** Returns the row of a figure whose target is a maximum. */
export const atMost = (name: string, value: number, target: number, unit: string): Row => ({
  name,
  value: `${Math.round(value)} ${unit}`,
  target: `<= ${target} ${unit}`,
  isMet: value <= target,
});

/** Returns the row of a figure without a target. */
export const withoutTarget = (name: string, value: string): Row => ({ name, value, target: "", isMet: null });
