import type { Timeframe } from "../market/bars.ts";
import type { SignalChange } from "./changes.ts";

/** A series somebody follows. */
export interface SeriesKey {
  /** As the market spells it. */
  readonly symbol: string;
  readonly timeframe: Timeframe;
}

/** The time of which the changes of a series are known. */
export interface ObservedRange {
  readonly since: string;
  readonly until: string;
}

export interface ChangePage {
  /** The oldest first. */
  readonly changes: readonly SignalChange[];
  /** Where to go on: everything up to here was told, or is of nobody asked about. */
  readonly cursor: string;
  readonly more: boolean;
}

/** Changes of signals in the running market: kept in the order in which they were noticed, and told as they are. */
export interface Changes {
  /** Keeps these looked at until what it returns is called. */
  follow(series: readonly SeriesKey[]): () => void;
  /** Calls back after changes were written down, with them, until what it returns is called. Never throws into the writer. */
  listen(heard: (changes: readonly SignalChange[]) => void): () => void;
  /** Those of some series after a cursor or the change of an id, or noticed from a moment on (epoch ms). INVALID_INPUT for a cursor that is none of this market. */
  since(of: {
    readonly signal?: AbortSignal;
    readonly series: readonly SeriesKey[];
    readonly after?: string;
    readonly from?: number;
    readonly limit: number;
  }): Promise<ChangePage>;
  /** The cursor after everything noticed so far. */
  now(): Promise<string>;
  /** Since when and until when each series was looked at, ISO 8601 UTC, in the same order; null for one nobody watched. */
  observedRanges(series: readonly SeriesKey[]): Promise<readonly (ObservedRange | null)[]>;
}

/** Changes as a store keeps them, by numbers of their own: what `Changes` tells live is read from it. */
export interface ChangeRepository extends Pick<Changes, "since" | "now" | "observedRanges"> {
  /** The number of the newest change, 0 before the first. */
  last(): Promise<number>;
  /** Changes of any series in this market after a number, the oldest first, each with its own. */
  after(
    seq: number,
    limit: number,
  ): Promise<readonly { readonly seq: number; readonly change: SignalChange }[]>;
}
