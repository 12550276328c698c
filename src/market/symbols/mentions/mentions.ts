import type { Symbols } from "../../../domain/ports.ts";
import { longestName } from "./names.ts";
import type { Mention } from "./span.ts";
import { CAPITALS, tickers } from "./tickers.ts";
import { WORDS } from "./vocabulary.ts";
import { type Word, wordsOf } from "./words.ts";

/** The symbols of a market, and how a text uses capitals. */
export interface TextContext {
  readonly symbols: Symbols;
  /** true: the text has lower-case letters. */
  readonly small: boolean;
  /** true: capitals may name instruments known only from downloaded lists. */
  readonly sure: boolean;
  /** true: capitals mean tickers. */
  readonly capitalsAreTickers: boolean;
}

/**
 * Returns the instruments that a text names, in order of mention, without duplicates. Lower-case words are not tickers.
 * Instruments known only from downloaded lists must be written as a cashtag, a pair, or capitals in mixed-case text.
 * Throws UNKNOWN_SYMBOL for an unknown cashtag.
 */
export function mentionsIn(text: string, symbols: Symbols): readonly Mention[] {
  const { words } = wordsOf(text);
  const setting = textContextOf(text, words, symbols);
  const found = new Map<string, Mention>();
  for (let at = 0; at < words.length; ) {
    const { length, mentions } = namedAt(words, at, setting);
    for (const mention of mentions)
      if (!found.has(mention.instrument.symbol)) found.set(mention.instrument.symbol, mention);
    at += length;
  }
  return [...found.values()];
}

export function textContextOf(text: string, words: readonly Word[], symbols: Symbols): TextContext {
  const small = /\p{Ll}/u.test(text);
  const sure =
    small || words.every(({ base, everyday }) => !everyday && !WORDS.acronyms.has(base.toUpperCase()));
  const isTicker = ({ base }: Word) => {
    const read = CAPITALS.test(base) ? symbols.find(base) : null;
    return read !== null && (sure || symbols.familiar(read.instrument));
  };
  return {
    symbols,
    small,
    sure,
    capitalsAreTickers:
      small || words.filter(({ base }) => !/^(\d.*|&|AND|OR|VS|DAILY|HOURLY)$/.test(base)).every(isTicker),
  };
}

/** Returns the instruments named at a word, and the number of words; no instruments if the name is ambiguous. */
export function namedAt(
  words: readonly Word[],
  at: number,
  setting: TextContext,
): { readonly length: number; readonly mentions: readonly Mention[] } {
  const name = longestName(words, at, setting);
  // a ticker in capitals takes precedence over a token of the same name
  if (name?.length === 1 && CAPITALS.test(words[at]!.base)) {
    const [own] = tickers(words, at, setting);
    if (own !== undefined) return { length: 1, mentions: [own] };
  }
  if (name !== null && (name.mentions.length > 0 || name.length > 1)) return name;
  return { length: 1, mentions: tickers(words, at, setting) };
}
