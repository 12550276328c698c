import type { Instrument } from "../../../domain/market/market.ts";
import type { Word } from "./words.ts";

/** An instrument that a text names, and the words that name it. */
export interface Mention {
  readonly text: string;
  readonly instrument: Instrument;
}

/** Words of a text that name one instrument; `instrument` is null if it is unknown. */
export interface Span {
  readonly at: number;
  readonly length: number;
  readonly text: string;
  readonly instrument: Instrument | null;
  /** false for an everyday or corrected word, which counts only if the market has data for its instrument. */
  readonly sure: boolean;
}

const SENTENCE_END = /[!?;\n]|\.\s|\.$/;

/** Returns true if a word is in the same sentence as the word before it. */
export const isSameSentence = (word: Word | undefined): word is Word =>
  word !== undefined && !SENTENCE_END.test(word.gap.slice(0, 40));

/** Returns true if only space, quotes or a hyphen precede a word. */
export const isAdjacent = (word: Word | undefined): word is Word =>
  word !== undefined && /^[\s'"’”)*_-]{0,4}$/.test(word.gap);

/** Returns the previous word in lower case; empty at the beginning of a sentence. */
export const wordBefore = (words: readonly Word[], at: number): string =>
  isSameSentence(words[at]) ? (words[at - 1]?.lower ?? "") : "";

/** Returns the word at a position, in lower case; empty unless only space, quotes or a hyphen precede it. */
export const nextWord = (words: readonly Word[], at: number): string => {
  const word = words[at];
  return isAdjacent(word) ? word.lower : "";
};

/** Returns the text of consecutive words as written. */
export const written = (plain: string, words: readonly Word[], at: number, length: number): string =>
  plain.slice(words[at]!.start, words[at + length - 1]!.end);
