import type { Instrument } from "../../../domain/market/market.ts";
import type { Symbols } from "../../../domain/ports.ts";
import { goesOn, isNext } from "./span.ts";
import { SAID_LOUDLY } from "./ticker-in-context.ts";
import { WORDS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

const EVERYDAY = WORDS.everyday;
const LEAD = WORDS.tickerLeads;
const TALK = WORDS.talk;
const TRADED = WORDS.tradedNouns;

const OF = WORDS.capitalsPrepositions;
const IS = WORDS.copulas;
const DOES = WORDS.activityVerbs;
/** Plural after an emphasised word: `ALL signals`. */
const SEVERAL = /s$/;
const ONE = WORDS.companyNouns;

/**
 * Returns words in capitals that may be tickers or emphasised words, in a text that names nothing else: `should I buy IT`,
 * `ON earnings`. Symbols without data in this market count only in the position of a ticker.
 */
export function skippedCapitals(
  words: readonly Word[],
  { symbols, held }: { readonly symbols: Symbols; readonly held: (instrument: Instrument) => boolean },
): readonly string[] {
  if (!words.some(({ base }) => /\p{Ll}/u.test(base))) return [];
  return words
    .filter((word, at) => {
      const { base, lower } = word;
      if (!/^[A-Z]{2,5}$/.test(base) || !EVERYDAY.has(lower) || SAID_LOUDLY.has(base)) return false;
      const instrument = symbols.find(base)?.instrument;
      if (instrument === undefined || !symbols.familiar(instrument)) return false;
      const next = isNext(words[at + 1]) ? words[at + 1]!.lower : "";
      const isOne = TALK.has(next) && !TRADED.has(next) && (ONE.has(next) || !SEVERAL.test(next));
      const lead = goesOn(word) ? (words[at - 1]?.lower ?? "") : "";
      return (
        isOne ||
        (held(instrument) &&
          (LEAD.has(lead) || OF.has(lead) || (IS.has(lead) && DOES.has(next) && base !== "IT")))
      );
    })
    .map(({ base }) => base);
}
