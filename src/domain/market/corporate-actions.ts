/** A split or reverse split; `ratio` is the number of new shares per old share, 0.1 for a reverse split of 10 to 1. */
export interface Split {
  /** First day of trading with the new share count, `YYYY-MM-DD`. */
  readonly date: string;
  readonly ratio: number;
}

/** A cash dividend in US dollars per share, adjusted for later splits. */
export interface Dividend {
  /** First day of trading without the dividend, `YYYY-MM-DD`. */
  readonly date: string;
  readonly amount: number;
}

/** Splits and dividends of one instrument, each oldest first. */
export interface CorporateActions {
  readonly splits: readonly Split[];
  /** Null if the provider does not know them. */
  readonly dividends: readonly Dividend[] | null;
}
