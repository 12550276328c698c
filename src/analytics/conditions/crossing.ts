/** Price levels of an alert in US dollars; null for a side without one. */
export interface AlertLevels {
  readonly above: number | null;
  readonly below: number | null;
}

/** Flags the levels that a price is beyond. */
export interface Beyond {
  readonly above: boolean;
  readonly below: boolean;
}

const SIDES = ["above", "below"] as const;
export type LevelSide = (typeof SIDES)[number];

/** Compares a price with both levels; a price equal to a level is not beyond it. */
export const levelsBeyond = ({ above, below }: AlertLevels, price: number): Beyond => ({
  above: above !== null && price > above,
  below: below !== null && price < below,
});

/**
 * Returns the levels passed between two evaluations: not beyond before, beyond now. The first evaluation (`before`
 * null) passes none.
 */
export const crossedLevels = (before: Beyond | null, now: Beyond): readonly LevelSide[] =>
  before === null ? [] : SIDES.filter((side) => now[side] && !before[side]);

/** Transitions of a condition since the last evaluated bar. */
export interface ConditionTransitions {
  /** Indices of the bars at which it became true, ascending. */
  readonly at: readonly number[];
  /** True if it holds at the last bar. */
  readonly held: boolean;
}

/**
 * Returns the bars from `from` on at which a column changes from 0 to 1; `before` is its value at the previous bar.
 * With `before` null (first evaluation) there are none. Evaluating bars in batches gives the same result as evaluating
 * all at once.
 */
export function conditionTransitions(
  before: boolean | null,
  column: ArrayLike<number>,
  from: number,
): ConditionTransitions {
  if (before === null) return { at: [], held: column.length > 0 && column[column.length - 1] === 1 };
  const at: number[] = [];
  let held = before;
  for (let bar = Math.max(0, from); bar < column.length; bar++) {
    const now = column[bar] === 1;
    if (now && !held) at.push(bar);
    held = now;
  }
  return { at, held };
}
