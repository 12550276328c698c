import { isAdjacent, isSameSentence, nextWord, wordBefore } from "./span.ts";
import { isJudged } from "./trade-phrases.ts";
import { WORDS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** Matches endings that are common in words but rare in names. */
const WORDLIKE =
  /(ing|ed|est|al|ic|ive|ous|ish|y|ent|ant|ance|ence|ness|ion|ism|age|ure|able|ible|er|or|ar|le|ne|re|se|ch|sh|th|ge|te|ht|[^s]s)$/;

/** Returns true if the question asks for data on the word: `signal on X`, `prints in X`. */
export function isQuestionSubject(words: readonly Word[], at: number): boolean {
  const what = words[at - 2]?.lower ?? "";
  return (
    isSameSentence(words[at]) &&
    WORDS.subjectPrepositions.has(words[at - 1]?.lower ?? "") &&
    (WORDS.subjectNouns.has(what) || WORDS.flowNouns.has(what))
  );
}

/** Returns true for a capitalised name followed by news or figures: `and Zorbex news`. */
export function isNewsOf(words: readonly Word[], at: number, length: number): boolean {
  const next = words[at + length];
  const before = words[at - 1]?.text ?? "";
  return isAdjacent(next) && WORDS.newsNouns.has(next.text) && !/^\p{Lu}/u.test(before);
}

/**
 * Returns how certain a word in the position of an instrument names one, as in `is xyzcorp a good buy`, `buy EVILCOIN
 * now`, `prints in zorbex` or `xyzcorp vs apple`; null for any other word.
 */
export function unknownSubjectAt(words: readonly Word[], at: number): "meant" | "with_neighbour" | null {
  const word = words[at]!;
  const name = word.base.toLowerCase();
  if (word.everyday || !/^[\p{L}][\p{L}\p{N}]{2,19}$/u.test(word.base) || WORDS.neverNames.has(name))
    return null;
  if (
    WORDS.functionWords.has(name) ||
    WORDS.marketWords.has(name) ||
    WORDS.talk.has(name) ||
    WORDS.tickerLeads.has(name) ||
    WORDS.tradedNouns.has(name)
  )
    return null;
  if (
    WORDS.acronyms.has(word.base) ||
    WORDS.capitalWords.has(word.base.toUpperCase()) ||
    WORDS.neverInstruments.has(name)
  )
    return null;
  const lead = wordBefore(words, at);
  const next = nextWord(words, at + 1);
  const ends = next === "" || WORDS.questionEnds.has(next);
  if (isJudged(words, at)) return "meant";
  if (
    WORDS.requestedTradeVerbs.has(lead) &&
    (at === 1 || WORDS.requestWords.has(words[at - 2]?.lower ?? "")) &&
    ends
  )
    return "meant";
  if (looksLikeName(word) && isAboutTrading(words, at, lead, next, ends)) return "meant";
  const rival = /^(vs|versus)$/;
  return rival.test(lead) || rival.test(next) ? "with_neighbour" : null;
}

/** Returns true if the question is about this word, not about the market in general. */
function isAboutTrading(
  words: readonly Word[],
  at: number,
  lead: string,
  next: string,
  ends: boolean,
): boolean {
  const isSubject = WORDS.flowNouns.has(words[at - 2]?.lower ?? "") && isQuestionSubject(words, at);
  const some = /^(any|some|more)$/.test(lead) ? 1 : 0;
  const traded =
    WORDS.tradingVerbs.has(words[at - 1 - some]?.lower ?? "") &&
    WORDS.traderNouns.has(words[at - 2 - some]?.lower ?? "");
  const reports = WORDS.reportingAuxiliaries.has(lead) && WORDS.reportingVerbs.has(next);
  return reports || (ends && (isSubject || traded)) || (at === 0 && WORDS.newsNouns.has(next));
}

/** Returns true if a word may be a name. A lower-case word or the first word must not look like a common word. */
function looksLikeName({ base, opens }: Word): boolean {
  const small = /^\p{Ll}/u.test(base) || opens;
  const name = base.toLowerCase();
  return !small || !(WORDLIKE.test(name) || WORDS.neverNamesInLowerCase.has(name));
}
