import type { Instrument } from "../../../domain/market/market.ts";

/** An instrument that a text names, and the words that name it. */
export interface Mention {
  readonly text: string;
  readonly instrument: Instrument;
}
