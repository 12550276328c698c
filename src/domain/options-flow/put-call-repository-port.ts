import type { PutCallDay } from "./options.ts";

/** Put/call ratios of days that were read once; a day that is over does not change. */
export interface PutCallRepository {
  /** The newest days known by `until` (epoch ms), oldest first. */
  days(range: {
    readonly until: number;
    readonly limit: number;
  }): Promise<readonly (PutCallDay & { readonly source: string })[]>;
  /** Those of these dates that need not be asked for: kept, or known to have none. */
  knownDates(dates: readonly string[]): Promise<ReadonlySet<string>>;
  /** Keeps a day; null for one that stays without ratios. One that cannot be kept is logged and lost. */
  save(day: string, told: PutCallDay | null, source: string): Promise<void>;
}
