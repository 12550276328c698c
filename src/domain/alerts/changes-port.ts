import type { Timeframe } from "../market/bars.ts";
import type { SignalChange } from "./changes.ts";

export interface SeriesKey {
  /** Canonical symbol. */
  readonly symbol: string;
  readonly timeframe: Timeframe;
}

/** Period in which the changes of a series are recorded. */
export interface ObservedRange {
  readonly since: string;
  readonly until: string;
}

export interface ChangePage {
  /** Oldest first. */
  readonly changes: readonly SignalChange[];
  /** Cursor of the next page: everything before it was returned or belongs to series not requested. */
  readonly cursor: string;
  readonly more: boolean;
}

/** Signal changes of the running market, in the order in which they were noticed. */
export interface Changes {
  /** Watches these series until the returned function is called. */
  follow(series: readonly SeriesKey[]): () => void;
  /**
   * Calls back with changes after they were stored, until the returned function is called. Errors of listeners do not
   * reach the writer.
   */
  listen(listener: (changes: readonly SignalChange[]) => void): () => void;
  /**
   * Changes of some series after a cursor or a change id, or since a moment (epoch ms), until another. Rejects with INVALID_INPUT for
   * an unknown cursor.
   */
  since(of: {
    readonly signal?: AbortSignal;
    readonly series: readonly SeriesKey[];
    readonly after?: string;
    readonly from?: number;
    readonly until?: number;
    readonly limit: number;
  }): Promise<ChangePage>;
  /** Returns the cursor after all changes so far. */
  now(): Promise<string>;
  /** Observed range of each series (ISO 8601 UTC), in request order; null for a series that was never watched. */
  observedRanges(series: readonly SeriesKey[]): Promise<readonly (ObservedRange | null)[]>;
}

/** Stored changes, keyed by their own sequence numbers; `Changes` reads from it. */
export interface ChangeRepository extends Pick<Changes, "since" | "now" | "observedRanges"> {
  /** Returns the number of the newest change; 0 before the first. */
  last(): Promise<number>;
  /** Returns the cursor after the change with this number. */
  cursorAt(seq: number): string;
  /** Returns the number in a cursor of this market; null for a change id or any other text. */
  seqIn(cursor: string): number | null;
  /** Returns changes of any series in this market after a number, oldest first, each with its number. */
  after(
    seq: number,
    limit: number,
  ): Promise<readonly { readonly seq: number; readonly change: SignalChange }[]>;
}
