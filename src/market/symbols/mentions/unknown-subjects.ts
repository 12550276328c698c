import { goesOn, isNext } from "./span.ts";
import { isJudged } from "./trade-phrases.ts";
import { WORDS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

const ACRONYMS = WORDS.acronyms;
const CAPITAL_WORDS = WORDS.capitalWords;
const ELSEWHERE = WORDS.neverInstruments;
const FUNCTION = WORDS.functionWords;
const LEAD = WORDS.tickerLeads;
const MARKET = WORDS.marketWords;
const TALK = WORDS.talk;
const TRADED = WORDS.tradedNouns;

const OF = WORDS.subjectPrepositions;
/** Nouns before `of X`: `the price of X`. */
const ASKED = WORDS.askedNouns;
/** Nouns that also apply to the whole market: `prints in X`. */
const FLOWS = WORDS.flowNouns;
const NEWS = WORDS.newsNouns;
/** Words after a name that end a question. */
export const ENDS = WORDS.questionEnds;
const VERB = WORDS.askedTradeVerbs;
const ASKER = WORDS.askerWords;
const TRADES = WORDS.tradingVerbs;
const TRADERS = WORDS.traderNouns;
const REPORTS = WORDS.reportingVerbs;
const REPORTING = WORDS.reportingAuxiliaries;
/** Words in the position of a name that never are one. */
const NO_NAME = WORDS.neverNames;
/** Endings common in words and rare in names. */
const WORDLIKE =
  /(ing|ed|est|al|ic|ive|ous|ish|y|ent|ant|ance|ence|ness|ion|ism|age|ure|able|ible|er|or|ar|le|ne|re|se|ch|sh|th|ge|te|ht|[^s]s)$/;
/** Other lower-case words that are never names. */
const NO_SMALL = WORDS.neverNamesInLowerCase;

/** Returns true if the question asks for something of the word: `signal on X`, `prints in X`. */
export function isAskedOf(words: readonly Word[], at: number): boolean {
  const what = words[at - 2]?.lower ?? "";
  return goesOn(words[at]) && OF.has(words[at - 1]?.lower ?? "") && (ASKED.has(what) || FLOWS.has(what));
}

/** Returns true for a capitalised name followed by news or figures: `and Zorbex news`. */
export function isNewsOf(words: readonly Word[], at: number, length: number): boolean {
  const next = words[at + length];
  const before = words[at - 1]?.text ?? "";
  return isNext(next) && NEWS.has(next.text) && !/^\p{Lu}/u.test(before);
}

/** Returns how a word in the position of an instrument counts, else null: `is xyzcorp a good buy`, `buy EVILCOIN now`, `prints in zorbex`, `xyzcorp vs apple`. */
export function soughtAt(words: readonly Word[], at: number): "meant" | "beside" | null {
  const word = words[at]!;
  const name = word.base.toLowerCase();
  if (word.everyday || !/^[\p{L}][\p{L}\p{N}]{2,19}$/u.test(word.base) || NO_NAME.has(name)) return null;
  if (FUNCTION.has(name) || MARKET.has(name) || TALK.has(name) || LEAD.has(name) || TRADED.has(name))
    return null;
  if (ACRONYMS.has(word.base) || CAPITAL_WORDS.has(word.base.toUpperCase()) || ELSEWHERE.has(name))
    return null;
  const lead = goesOn(word) ? (words[at - 1]?.lower ?? "") : "";
  const next = isNext(words[at + 1]) ? words[at + 1]!.lower : "";
  const ends = next === "" || ENDS.has(next);
  if (isJudged(words, at)) return "meant";
  if (VERB.has(lead) && (at === 1 || ASKER.has(words[at - 2]?.lower ?? "")) && ends) return "meant";
  if (isLikeAName(word) && isOfTrade(words, at, lead, next, ends)) return "meant";
  const rival = /^(vs|versus)$/;
  return rival.test(lead) || rival.test(next) ? "beside" : null;
}

/** Returns true if the question is about this word and not about the whole market. */
function isOfTrade(words: readonly Word[], at: number, lead: string, next: string, ends: boolean): boolean {
  const asked = FLOWS.has(words[at - 2]?.lower ?? "") && isAskedOf(words, at);
  const some = /^(any|some|more)$/.test(lead) ? 1 : 0;
  const traded =
    TRADES.has(words[at - 1 - some]?.lower ?? "") && TRADERS.has(words[at - 2 - some]?.lower ?? "");
  const reports = REPORTING.has(lead) && REPORTS.has(next);
  return reports || (ends && (asked || traded)) || (at === 0 && NEWS.has(next));
}

/** Returns true if a word may be a name; a lower-case or first word must not look like a common word. */
function isLikeAName({ base, opens }: Word): boolean {
  const small = /^\p{Ll}/u.test(base) || opens;
  const name = base.toLowerCase();
  return !small || !(WORDLIKE.test(name) || NO_SMALL.has(name));
}
