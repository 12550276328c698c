import type { Instrument } from "../../../domain/market/market.ts";
import type { TextContext } from "./mentions.ts";
import { isAdjacent, nextWord } from "./span.ts";
import { isJudged } from "./trade-phrases.ts";
import { WORDS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** A name that is also an everyday word or phrase. */
interface EverydayName {
  readonly length: number;
  readonly instrument: Instrument;
  readonly needsNeighbour: boolean;
}

/**
 * Returns a name that only the context distinguishes from an everyday word: a plural, `coke stock`, `gold or bitcoin`,
 * `is target a buy`. Returns null if there is none.
 */
export function everydayName(
  words: readonly Word[],
  at: number,
  { symbols, small, market }: TextContext & { readonly market: boolean },
): EverydayName | null {
  const { base, everyday, naming, opens } = words[at]!;
  if (!naming || base.length > 30) return null;
  const next = nextWord(words, at + 1);
  const onlyMatch = (text: string): Instrument | null => {
    const [instrument, another] = symbols.named(text).filter((one) => symbols.familiar(one));
    return instrument !== undefined && another === undefined ? instrument : null;
  };
  for (let length = Math.min(4, words.length - at); length > 1; length--) {
    const slice = words.slice(at, at + length);
    if (!slice.every((word, i) => word.everyday && (i === 0 || isAdjacent(word)))) continue;
    if (length === 2 && slice[1]!.lower !== "coin" && !isJudged(words, at, length)) continue;
    const instrument = onlyMatch(slice.map((word) => word.base).join(" "));
    if (instrument !== null) return { length, instrument, needsNeighbour: false };
  }
  const one = (instrument: Instrument, needsNeighbour = false): EverydayName => ({
    length: 1,
    instrument,
    needsNeighbour,
  });
  if (!everyday) {
    const single = /^(.{4,})s$/i.exec(base)?.[1];
    const instrument =
      single === undefined || WORDS.everyday.has(single.toLowerCase()) ? null : onlyMatch(single);
    if (WORDS.ambiguous.has(single?.toLowerCase() ?? "") && !WORDS.talk.has(next)) return null;
    return instrument === null ? null : one(instrument);
  }
  if (WORDS.functionWords.has(base.toLowerCase()) || base.length < 3) return null;
  const instrument = onlyMatch(base);
  if (instrument === null) return null;
  if (/^(gold|silver|coke)$/i.test(base)) return one(instrument, !market && words.length > 2);
  if (WORDS.stockNouns.has(next) && !/^(total|match|live)$/i.test(base)) return one(instrument);
  if (isJudged(words, at) || isToBuy(words, at, next)) return one(instrument);
  const title = /^\p{Lu}\p{Ll}/u.test(base) && small;
  if (isRival(words, at)) return one(instrument, true);
  if (title && words.length === 1) return one(instrument);
  if (!title || !opens) return null;
  if (WORDS.talk.has(next)) return /^(earnings|news|shareholders)$/.test(next) ? one(instrument) : null;
  return one(instrument, true);
}

/** Returns true for a word in the position of `target` in `should I buy target?`. */
const isToBuy = (words: readonly Word[], at: number, next: string): boolean =>
  (next === "" || /^(now|today|or)$/.test(next)) &&
  isAdjacent(words[at]) &&
  /^(buy|sell|short)$/.test(words[at - 1]?.lower ?? "") &&
  /^(i|we)$/.test(words[at - 2]?.lower ?? "") &&
  words[at - 3]?.lower === "should";

/** Returns true if a word is compared with one that is not an everyday word: `alphabet vs microsoft`. */
function isRival(words: readonly Word[], at: number): boolean {
  const against = (word: Word | undefined) => /^(vs|versus|against)$/.test(word?.lower ?? "");
  return [at - 2, at + 2].some((other) => {
    const rival = words[other];
    return rival !== undefined && !rival.everyday && against(words[(at + other) / 2]);
  });
}
