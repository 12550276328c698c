import type { Instrument } from "../../../domain/market/market.ts";
import type { Symbols } from "../../../domain/ports.ts";
import { isAdjacent } from "./span.ts";
import { WORDS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** Maximum number of names looked up in one text. */
const MAX_LOOKUPS = 240;
const MIN_SURE_LENGTH = 5;
const MAX_NAME_WORDS = 3;

/** A misspelt name and the only instrument it can mean. */
export interface Correction {
  readonly length: number;
  readonly instrument: Instrument;
  /** false for a short word, which counts only next to another instrument. */
  readonly sure: boolean;
}

/** Returns a function that corrects misspelt names, but not everyday words or ambiguous names. */
export function misspellings(
  words: readonly Word[],
  { symbols, small }: { readonly symbols: Symbols; readonly small: boolean },
): (at: number) => Correction | null {
  let lookupsLeft = MAX_LOOKUPS;
  const known = new Map<string, Instrument | null>();
  const read = (name: string): Instrument | null => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (lookupsLeft-- <= 0) return null;
    const [one, another] = symbols.misspelt(name);
    const found = one !== undefined && another === undefined ? one : null;
    known.set(name, found);
    return found;
  };
  // accepts `appl` as the only word, but neither `soft` nor `iran`
  const isStart = (name: string, { name: full }: Instrument) =>
    words.length === 1 && full.toLowerCase().startsWith(name) && !WORDS.neverInstruments.has(name);
  return (at) => {
    // tickers are not corrected
    if (small && /^[A-Z]{2,5}$/.test(words[at]!.base)) return null;
    for (let length = Math.min(MAX_NAME_WORDS, words.length - at); length > 0; length--) {
      const slice = words.slice(at, at + length);
      if (!slice.every((word, i) => word.naming && (i === 0 || isAdjacent(word)))) continue;
      if (
        length > 1
          ? isSmallWord(slice[0]!) || isSmallWord(slice.at(-1)!) || slice.every(isWord)
          : slice.some(isWord)
      )
        continue;
      const name = slice
        .map(({ base }) => base)
        .join("")
        .toLowerCase();
      if (name.length < (length > 1 ? 7 : MIN_SURE_LENGTH - 1) || name.length > 30 || /\d/.test(name))
        continue;
      const instrument =
        read(name) ??
        (length === 1 && /.{6}[^s]s$/.test(name) && !isPlural(name) ? read(name.slice(0, -1)) : null);
      if (instrument !== null && !isInflected(name, instrument))
        return {
          length,
          instrument,
          sure: length > 1 || name.length >= MIN_SURE_LENGTH || isStart(name, instrument),
        };
    }
    return null;
  };
}

/** Matches single words that are a topic, not a name. */
const TOPIC = /s$|^(interest|biotech|metal|recession)$/;

/** Returns true for a single word that is similar to a name but too uncertain to correct. */
export function isNearName(words: readonly Word[], symbols: Symbols): boolean {
  const [word, another] = words;
  if (word === undefined || another !== undefined || word.everyday || !/^\p{L}{4,30}$/u.test(word.base))
    return false;
  const lower = word.base.toLowerCase();
  const isTalk = WORDS.nearNames.has(lower)
    ? TOPIC.test(lower)
    : isWord(word) || WORDS.neverInstruments.has(lower);
  if (isTalk) return false;
  return symbols.misspelt(lower).length > 0;
}

function isWord({ base, everyday }: Word): boolean {
  const lower = base.toLowerCase();
  if (everyday || WORDS.nearNames.has(lower) || WORDS.functionWords.has(lower)) return true;
  if (/s$/.test(lower) && WORDS.ambiguous.has(lower.slice(0, -1))) return true;
  return (
    WORDS.marketWords.has(lower) ||
    WORDS.talk.has(lower) ||
    WORDS.tickerLeads.has(lower) ||
    WORDS.acronyms.has(base)
  );
}

/** Returns true if the word has an ending of a verb or adverb that the name lacks. */
function isInflected(word: string, { name }: Instrument): boolean {
  const [ending] = /(ed|ing|ly|ness|able|est|ful|ous|tion|ions|ings)$/.exec(word) ?? [];
  return (
    ending !== undefined &&
    !name
      .toLowerCase()
      .split(/[^a-z]+/)
      .some((part) => part.endsWith(ending))
  );
}

/** Returns true for the plural of a common word. */
const isPlural = (name: string): boolean =>
  WORDS.nearNames.has(name.slice(0, -1)) || WORDS.everyday.has(name.slice(0, -1));

const isSmallWord = (word: Word): boolean =>
  word.everyday && (WORDS.functionWords.has(word.lower) || word.base.length < 3);
