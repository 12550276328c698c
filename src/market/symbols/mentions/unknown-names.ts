import { isUntrackedIndex } from "../not-listed.ts";
import type { TextContext } from "./mentions.ts";
import { isAdjacent, isSameSentence, nextWord } from "./span.ts";
import { isNewsOf, isQuestionSubject, unknownSubjectAt } from "./unknown-subjects.ts";
import { WORDS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

const PAIR = /^[A-Za-z0-9]{2,10}[-/_]USD[TC]?$|^[A-Z0-9]{2,10}USD[TC]$/;
const MONEY = /^(EUR|GBP|JPY|CHF|CAD|AUD|NZD|CNY|XAU|XAG|USD|US)/i;
const KEY = /[=:]["'[({\s]{0,4}$/;

/** An unknown name; `with_neighbour`: it counts only next to a known instrument. */
export interface Unknown {
  readonly length: number;
  readonly doubt: "meant" | "with_neighbour";
}

/**
 * Returns an unknown name that means an instrument, as in `GME stock`, `symbol=ZZZQ` or `Nestlé` next to a known one;
 * null for any other word.
 */
export function unknownAt(
  words: readonly Word[],
  at: number,
  { small, symbols }: TextContext,
): Unknown | null {
  const word = words[at]!;
  const { base, lower } = word;
  if (!word.naming || base.length > 30) return null;
  if (isUntrackedIndex(lower) || isUntrackedIndex(base)) return { length: 1, doubt: "meant" };
  if (PAIR.test(base))
    return MONEY.test(base) || symbols.find(base) !== null ? null : { length: 1, doubt: "meant" };
  const sought = unknownSubjectAt(words, at);
  if (sought !== null) return { length: 1, doubt: sought };
  const before = isSameSentence(word) ? words[at - 1] : undefined;
  const lead = before?.lower ?? "";
  const isField = WORDS.fieldNames.has(words[at - 1]?.lower ?? "") && KEY.test(word.gap);
  if (/^[A-Z]{2,5}$/.test(base)) {
    if (
      WORDS.acronyms.has(base) ||
      WORDS.capitalWords.has(base) ||
      word.everyday ||
      symbols.find(base) !== null
    )
      return null;
    const next = nextWord(words, at + 1);
    const isSubject = isQuestionSubject(words, at);
    if (isField || words.length === 1) return { length: 1, doubt: "meant" };
    if (!small) return null;
    const isMeant =
      WORDS.tradedNouns.has(next) ||
      WORDS.talk.has(next) ||
      WORDS.tickerLeads.has(lead) ||
      isSubject ||
      lead === "about";
    return { length: 1, doubt: isMeant ? "meant" : "with_neighbour" };
  }
  const after = nextWord(words, at + 1);
  if (WORDS.unlistedCompanies.has(base.toLowerCase()))
    return {
      length: 1,
      doubt: WORDS.talk.has(after) || isQuestionSubject(words, at) ? "meant" : "with_neighbour",
    };
  if (/^[b-df-hj-np-tv-z]{3,5}$/.test(base) && /^(stock|ticker)$/.test(after) && !word.everyday)
    return { length: 1, doubt: "meant" };
  if (isField && /^[A-Za-z]{1,6}$/.test(base))
    return WORDS.functionWords.has(lower) ? null : { length: 1, doubt: "meant" };
  if (!isTitle(word) || !small) return null;
  let length = 1;
  while (length < 3 && isAdjacent(words[at + length]) && isTitle(words[at + length]!)) length++;
  const next = nextWord(words, at + length);
  if (word.opens && length === 1 && !WORDS.tradedNouns.has(next)) return null;
  const isCompany =
    /^(stock|share|shares|coin|token)$/.test(next) ||
    (isQuestionSubject(words, at) && (next === "" || WORDS.questionEnds.has(next))) ||
    isNewsOf(words, at, length);
  return { length, doubt: isCompany ? "meant" : "with_neighbour" };
}

/** Returns true for a capitalised word that is not a common word. */
function isTitle({ base, everyday }: Word): boolean {
  const lower = base.toLowerCase();
  if (everyday || base.length < 3 || !/^\p{Lu}[\p{L}\p{M}\p{N}'’&.-]*$/u.test(base) || !/\p{Ll}/u.test(base))
    return false;
  return !(
    WORDS.neverInstruments.has(lower) ||
    WORDS.functionWords.has(lower) ||
    WORDS.marketWords.has(lower) ||
    WORDS.talk.has(lower) ||
    WORDS.tickerLeads.has(lower)
  );
}
