/** What was there, what was said, and how much of either agrees. */
export interface Tally {
  readonly planted: number;
  /** Those planted that the oracle admits. */
  readonly truth: number;
  readonly found: number;
  readonly claimed: number;
  readonly right: number;
  /** Claims that were not planted though the oracle admits them. */
  readonly chance: number;
}

export const NOTHING: Tally = { planted: 0, truth: 0, found: 0, claimed: 0, right: 0, chance: 0 };

export const added = (a: Tally, b: Tally): Tally => ({
  planted: a.planted + b.planted,
  truth: a.truth + b.truth,
  found: a.found + b.found,
  claimed: a.claimed + b.claimed,
  right: a.right + b.right,
  chance: a.chance + b.chance,
});

/** Share of the truth that was found; NaN without any. */
export const recallOf = ({ truth, found }: Tally): number => found / truth;

/** Share of what was said that was planted; NaN where nothing was said. */
export const precisionOf = ({ claimed, right }: Tally): number => right / claimed;
