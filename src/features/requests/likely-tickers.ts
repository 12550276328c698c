import type { Symbols } from "../../domain/ports.ts";
import type { Mention } from "../../market/symbols/mentions/span.ts";
import { type Word, wordsOf } from "../../market/symbols/mentions/words.ts";
import { isQuestionWord } from "./details/unread.ts";
import { isAbbreviation } from "./language/plain-words.ts";

/** Maximum number of words of a request in which lower-case words are read as tickers. */
const MAX_WORDS = 12;
/** Matches single letters that are tickers of large companies but not words. */
const LETTER = /^[cftv]$/;

/**
 * Returns the lower-case words of a short request that can only be tickers: `get into ge`, `f 10 dollar calls`. `which`:
 * all, for a request that names no symbol otherwise, or only a single letter at the beginning that is one of several:
 * `v or ma`.
 */
export function likelyTickers(query: string, symbols: Symbols, which: "all" | "first"): readonly Mention[] {
  const { words } = wordsOf(query);
  if (words.length > MAX_WORDS) return [];
  const isOneOfSeveral = /^(?:or|and|vs|versus)$/.test(words[1]?.lower ?? "");
  const read = which === "all" ? words : isOneOfSeveral ? words.slice(0, 1) : [];
  const found = new Map<string, Mention>();
  for (const [at, word] of read.entries()) {
    if (!(LETTER.test(word.base) ? at === 0 : which === "all" && isNoWord(word))) continue;
    const instrument = symbols.find(word.base.toUpperCase())?.instrument;
    if (instrument?.symbol.replace(/-USD$/, "") !== word.base.toUpperCase() || !symbols.familiar(instrument))
      continue;
    found.set(instrument.symbol, { text: word.base, instrument });
  }
  return [...found.values()];
}

const isNoWord = ({ base, lower, everyday }: Word): boolean =>
  /^[a-z]{2,5}$/.test(base) && !everyday && !isAbbreviation(lower) && !isQuestionWord(lower);
