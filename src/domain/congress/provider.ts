import type { Provider } from "../providers/provider.ts";
import type { Chamber, Disclosure, Party, UnreadFiling } from "./congress.ts";

export interface FilingsRequest {
  readonly chamber: Chamber;
  /** Ticker as filings write it; null for all trades. */
  readonly ticker: string | null;
  /** First and last filing date, `YYYY-MM-DD`. */
  readonly since: string;
  readonly until: string;
  /** Ids of filings that need not be read again. */
  readonly known: ReadonlySet<string>;
}

/** A filing without readable rows; `retryable` if it may become readable later. */
export type RetryableFiling = UnreadFiling & { readonly retryable: boolean };

/** Filings of one response, possibly a part: `more` means that another request continues. */
export interface Filings {
  readonly trades: readonly Disclosure[];
  readonly unread: readonly RetryableFiling[];
  /** Numbers of the filings that were read, including those without a row. */
  readonly read: readonly string[];
  /** With the filings already known, everything filed from this day on is complete; null if the provider does not say. */
  readonly completeFrom: string | null;
  readonly more: boolean;
  /** What a reader of the filings should know, one sentence: that the list of a new year does not exist yet. */
  readonly note?: string;
}

/** Provider of filings; `unsupported` if it does not cover the chamber, or responds only by ticker. */
export type DisclosureProvider = Provider<FilingsRequest, Filings>;

/** Period during which a person served in a chamber. */
export interface Term {
  readonly chamber: Chamber;
  /** First and last day, `YYYY-MM-DD`. */
  readonly start: string;
  readonly end: string;
  readonly state: string;
  readonly party: Party | null;
}

/** Current or former member of Congress. */
export interface Legislator {
  readonly id: string;
  readonly last: string;
  /** Possible given names: the first name, a nickname, the first word of the full name. */
  readonly firsts: readonly string[];
  readonly terms: readonly Term[];
}

/** Members of Congress as of some day. */
export interface Roster {
  readonly legislators: readonly Legislator[];
}
