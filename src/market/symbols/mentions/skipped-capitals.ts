import type { Instrument } from "../../../domain/market/market.ts";
import type { Symbols } from "../../../domain/ports.ts";
import { nextWord, wordBefore } from "./span.ts";
import { WORDS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** Matches a plural, as after an emphasised word: `ALL signals`. */
const SEVERAL = /s$/;

/**
 * Returns words in capitals that may be either tickers or emphasised words, for a text that names nothing else: `should
 * I buy IT`, `ON earnings`. Symbols without data in this market count only in the position of a ticker.
 */
export function skippedCapitals(
  words: readonly Word[],
  { symbols, held }: { readonly symbols: Symbols; readonly held: (instrument: Instrument) => boolean },
): readonly string[] {
  if (!words.some(({ base }) => /\p{Ll}/u.test(base))) return [];
  return words
    .filter((word, at) => {
      const { base, lower } = word;
      if (!/^[A-Z]{2,5}$/.test(base) || !WORDS.everyday.has(lower) || WORDS.emphasisedWords.has(base))
        return false;
      const instrument = symbols.find(base)?.instrument;
      if (instrument === undefined || !symbols.familiar(instrument)) return false;
      const next = nextWord(words, at + 1);
      const isOne =
        WORDS.talk.has(next) &&
        !WORDS.tradedNouns.has(next) &&
        (WORDS.companyNouns.has(next) || !SEVERAL.test(next));
      const lead = wordBefore(words, at);
      return (
        isOne ||
        (held(instrument) &&
          (WORDS.tickerLeads.has(lead) ||
            WORDS.capitalsPrepositions.has(lead) ||
            (WORDS.copulas.has(lead) && WORDS.activityVerbs.has(next) && base !== "IT")))
      );
    })
    .map(({ base }) => base);
}
