import type { Symbols } from "../../../domain/ports.ts";
import type { Mention } from "./mention.ts";
import { longestName } from "./names.ts";
import { CAPITALS, tickers } from "./tickers.ts";
import { WORDS } from "./vocabulary.ts";
import { type Word, wordsOf } from "./words.ts";

const ACRONYMS = WORDS.acronyms;

/** What a whole text says about its capitals. */
export interface Setting {
  readonly symbols: Symbols;
  /** Whether it has small letters. */
  readonly small: boolean;
  /** Whether capitals may name what only long lists know. */
  readonly sure: boolean;
  /** Whether capitals mean tickers. */
  readonly told: boolean;
}

/**
 * The instruments a text names, in its order, each once. Small words are not read as tickers; nothing is guessed.
 * What only long lists know is read as a cashtag, as a pair, or in capitals that the text around it does not have.
 * Throws UNKNOWN_SYMBOL for a cashtag of nothing known.
 */
export function mentionsIn(text: string, symbols: Symbols): readonly Mention[] {
  const { words } = wordsOf(text);
  const setting = settingOf(text, words, symbols);
  const found = new Map<string, Mention>();
  for (let at = 0; at < words.length; ) {
    const { length, mentions } = namedAt(words, at, setting);
    for (const mention of mentions)
      if (!found.has(mention.instrument.symbol)) found.set(mention.instrument.symbol, mention);
    at += length;
  }
  return [...found.values()];
}

/** What capitals mean in a text. */
export function settingOf(text: string, words: readonly Word[], symbols: Symbols): Setting {
  const small = /\p{Ll}/u.test(text);
  const sure = small || words.every(({ base, everyday }) => !everyday && !ACRONYMS.has(base.toUpperCase()));
  const isTicker = ({ base }: Word) => {
    const read = CAPITALS.test(base) ? symbols.find(base) : null;
    return read !== null && (sure || symbols.familiar(read.instrument));
  };
  return {
    symbols,
    small,
    sure,
    told:
      small || words.filter(({ base }) => !/^(\d.*|&|AND|OR|VS|DAILY|HOURLY)$/.test(base)).every(isTicker),
  };
}

/** What is named by the word at a place, or by it and those after; without mentions where nothing is, or too much. */
export function namedAt(
  words: readonly Word[],
  at: number,
  setting: Setting,
): { readonly length: number; readonly mentions: readonly Mention[] } {
  const name = longestName(words, at, setting);
  // a ticker in capitals is that, though a token of another be called so
  if (name?.length === 1 && CAPITALS.test(words[at]!.base)) {
    const [own] = tickers(words, at, setting);
    if (own !== undefined) return { length: 1, mentions: [own] };
  }
  if (name !== null && (name.mentions.length > 0 || name.length > 1)) return name;
  return { length: 1, mentions: tickers(words, at, setting) };
}
