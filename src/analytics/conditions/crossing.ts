/** Prices in US dollars that an alert waits for; null where there is none on that side. */
export interface Levels {
  readonly above: number | null;
  readonly below: number | null;
}

/** Whether a price lies beyond each level. */
export interface Beyond {
  readonly above: boolean;
  readonly below: boolean;
}

const SIDES = ["above", "below"] as const;
export type LevelSide = (typeof SIDES)[number];

/** Whether a price is over the one level and under the other; a price at a level is not beyond it. */
export const beyond = ({ above, below }: Levels, price: number): Beyond => ({
  above: above !== null && price > above,
  below: below !== null && price < below,
});

/**
 * The levels that were passed from one look to the next: not beyond before, beyond now. A first look (null) passes none:
 * it arms alone. Beyond again needs a look in between that is not.
 */
export const passed = (before: Beyond | null, now: Beyond): readonly LevelSide[] =>
  before === null ? [] : SIDES.filter((side) => now[side] && !before[side]);
