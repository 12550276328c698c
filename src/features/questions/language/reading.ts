import type { Timeframe } from "../../../domain/market/bars.ts";
import type { Instrument } from "../../../domain/market/market.ts";
import type { Intent } from "../../../domain/questions/interpretation.ts";

/** An instrument that a text speaks of, and the words that name it. */
export interface Mention {
  readonly text: string;
  readonly instrument: Instrument;
}

/** A question in plain words as it was understood; nothing in it is obeyed. */
export interface Reading {
  readonly intent: Intent;
  /** Bar length that is named; null where none is. */
  readonly timeframe: Timeframe | null;
  /** Words that ask for bars of a length that is not served; null where there are none. */
  readonly unserved: string | null;
  /** Whether several bar lengths are named. */
  readonly several: boolean;
  /** In the order of first mention, each instrument once. */
  readonly mentions: readonly Mention[];
  /** Words that mean an instrument which is not known here, as written, without a cashtag's sign. */
  readonly unresolved: readonly string[];
  /** Instruments that the text says it is not about; one that it asks for as well is none. */
  readonly excluded: readonly Mention[];
  /** Whether the text is so long that only its beginning and end were read. */
  readonly isCut: boolean;
}
