/** Price levels of an alert in US dollars; null for a side without one. */
export interface Levels {
  readonly above: number | null;
  readonly below: number | null;
}

/** True for each level that a price lies beyond. */
export interface Beyond {
  readonly above: boolean;
  readonly below: boolean;
}

const SIDES = ["above", "below"] as const;
export type LevelSide = (typeof SIDES)[number];

/** Compares a price with both levels; a price at a level is not beyond it. */
export const beyond = ({ above, below }: Levels, price: number): Beyond => ({
  above: above !== null && price > above,
  below: below !== null && price < below,
});

/**
 * The levels passed between two evaluations: not beyond before, beyond now. The first evaluation (null) passes none.
 */
export const passed = (before: Beyond | null, now: Beyond): readonly LevelSide[] =>
  before === null ? [] : SIDES.filter((side) => now[side] && !before[side]);
