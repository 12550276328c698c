import type { PutCallDay } from "./options.ts";

/** Stored put/call ratios of past days, which do not change. */
export interface PutCallRepository {
  /** Returns the newest days known by `until` (epoch ms), oldest first. */
  days(range: {
    readonly until: number;
    readonly limit: number;
  }): Promise<readonly (PutCallDay & { readonly source: string })[]>;
  /** Returns those of the dates that need no request: stored, or known to have no ratios. */
  knownDates(dates: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Stores a day; null for one that will never have ratios. If the write fails, the failure is logged and the day is
   * lost.
   */
  save(day: string, row: PutCallDay | null, source: string): Promise<void>;
}
