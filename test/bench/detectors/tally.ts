/** Counts of true and claimed events, and how many of them agree. */
export interface Tally {
  readonly planted: number;
  /** Planted events that the oracle accepts. */
  readonly truth: number;
  readonly found: number;
  readonly claimed: number;
  readonly right: number;
  /** Claims that were not planted but that the oracle accepts. */
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

/** Recall: share of the true events that were found; NaN without any. */
export const recallOf = ({ truth, found }: Tally): number => found / truth;

/** Precision: share of the claims that were planted; NaN without a claim. */
export const precisionOf = ({ claimed, right }: Tally): number => right / claimed;
