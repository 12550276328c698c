import type { Instrument } from "../../../domain/market/market.ts";
import type { Symbols } from "../../../domain/ports.ts";
import { SAID_LOUDLY } from "./in-context.ts";
import { EVERYDAY } from "./ordinary.ts";
import { goesOn, isNext } from "./span.ts";
import { LEAD, TALK, TRADED } from "./talk.ts";
import type { Word } from "./words.ts";

const OF = /^(of|on|for|about|in|own|hold)$/;
const IS = /^(is|are)$/;
const DOES = /^(doing|trading)$/;
/** What follows a shouted word that is none of an instrument: `ALL signals`. */
const SEVERAL = /s$/;
const ONE = /^(earnings|news|results|guidance|headlines|options|puts|calls|levels|eps)$/;

/**
 * The words in capitals that may be a ticker or a word said loudly, in a text that names nothing else: `should I buy IT`,
 * `ON earnings`. What the market does not hold counts only where it is spoken of as a ticker is.
 */
export function passedOver(
  words: readonly Word[],
  { symbols, held }: { readonly symbols: Symbols; readonly held: (instrument: Instrument) => boolean },
): readonly string[] {
  if (!words.some(({ base }) => /\p{Ll}/u.test(base))) return [];
  return words
    .filter((word, at) => {
      const { base, lower } = word;
      if (!/^[A-Z]{2,5}$/.test(base) || !EVERYDAY.has(lower) || SAID_LOUDLY.test(base)) return false;
      const instrument = symbols.find(base)?.instrument;
      if (instrument === undefined || !symbols.familiar(instrument)) return false;
      const next = isNext(words[at + 1]) ? words[at + 1]!.lower : "";
      const isOne = TALK.has(next) && !TRADED.has(next) && (ONE.test(next) || !SEVERAL.test(next));
      const lead = goesOn(word) ? (words[at - 1]?.lower ?? "") : "";
      return (
        isOne ||
        (held(instrument) &&
          (LEAD.has(lead) || OF.test(lead) || (IS.test(lead) && DOES.test(next) && base !== "IT")))
      );
    })
    .map(({ base }) => base);
}
