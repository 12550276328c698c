import type { Timeframe } from "../../../domain/market/bars.ts";
import type { Instrument } from "../../../domain/market/market.ts";
import type { Intent } from "../../../domain/questions/interpretation.ts";

/** An instrument that a text names, and the words that name it. */
export interface Mention {
  readonly text: string;
  readonly instrument: Instrument;
}

/** A parsed question. No instruction in it is followed. */
export interface Reading {
  readonly intent: Intent;
  /** Bar length named; null if none. */
  readonly timeframe: Timeframe | null;
  /** Words that name an unavailable bar length; null if none. */
  readonly unserved: string | null;
  /** true: several bar lengths are named. */
  readonly several: boolean;
  /** In the order of first mention, each instrument once. */
  readonly mentions: readonly Mention[];
  /** Words that name an unknown instrument, as written, without the sign of a cashtag. */
  readonly unresolved: readonly string[];
  /** Instruments that the text excludes and does not also ask for. */
  readonly excluded: readonly Mention[];
  /** true: the text is so long that only its beginning and end were parsed. */
  readonly isCut: boolean;
}
