import type { Instrument } from "../../../domain/market/market.ts";
import type { Word } from "./words.ts";

/** Words of a text that mean one instrument; null where it is not known which. */
export interface Span {
  readonly at: number;
  readonly length: number;
  readonly text: string;
  readonly instrument: Instrument | null;
  /** false for a word of everyday talk and for one set right: such names only what a market holds. */
  readonly sure: boolean;
}

const SENTENCE_END = /[!?;\n]|\.\s|\.$/;

/** Whether a word goes on from the one before, within a sentence. */
export const goesOn = (word: Word | undefined): word is Word =>
  word !== undefined && !SENTENCE_END.test(word.gap.slice(0, 40));

/** Whether nothing but space or a hyphen stands before a word. */
export const isNext = (word: Word | undefined): word is Word =>
  word !== undefined && /^[\s'"’”)*_-]{0,4}$/.test(word.gap);

/** The text of the words from a place on, as written. */
export const written = (plain: string, words: readonly Word[], at: number, length: number): string =>
  plain.slice(words[at]!.start, words[at + length - 1]!.end);
