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
/** What is asked of something traded: `the price of X`. */
const ASKED = WORDS.askedNouns;
/** What the whole market has too, so that a name missed in `prints in X` would be answered with all of it. */
const FLOWS = WORDS.flowNouns;
const NEWS = WORDS.newsNouns;
/** What ends a question after a name. */
export const ENDS = WORDS.questionEnds;
const VERB = WORDS.askedTradeVerbs;
const ASKER = WORDS.askerWords;
const TRADES = WORDS.tradingVerbs;
const TRADERS = WORDS.traderNouns;
const REPORTS = WORDS.reportingVerbs;
const REPORTING = WORDS.reportingAuxiliaries;
/** What stands where a name might, and is none. */
const NO_NAME = WORDS.neverNames;
/** Endings that many a small word has and few a name. */
const WORDLIKE =
  /(ing|ed|est|al|ic|ive|ous|ish|y|ent|ant|ance|ence|ness|ion|ism|age|ure|able|ible|er|or|ar|le|ne|re|se|ch|sh|th|ge|te|ht|[^s]s)$/;
/** Small words of other endings that describe what is asked, or are of whole markets. */
const NO_SMALL = WORDS.neverNamesInLowerCase;

/** Whether a figure, news or an opinion is asked of the word at a place: `signal on X`, `prints in X`. */
export function isAskedOf(words: readonly Word[], at: number): boolean {
  const what = words[at - 2]?.lower ?? "";
  return goesOn(words[at]) && OF.has(words[at - 1]?.lower ?? "") && (ASKED.has(what) || FLOWS.has(what));
}

/** Whether a name written large has news or figures after it in small letters: `and Zorbex news`. */
export function isNewsOf(words: readonly Word[], at: number, length: number): boolean {
  const next = words[at + length];
  const before = words[at - 1]?.text ?? "";
  return isNext(next) && NEWS.has(next.text) && !/^\p{Lu}/u.test(before);
}

/** A word in the place of what is traded: `is xyzcorp a good buy`, `buy EVILCOIN now`, `prints in zorbex`, `xyzcorp vs apple`. */
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

/** Whether it is what a question is asked of that the whole market could be asked too. */
function isOfTrade(words: readonly Word[], at: number, lead: string, next: string, ends: boolean): boolean {
  const asked = FLOWS.has(words[at - 2]?.lower ?? "") && isAskedOf(words, at);
  const some = /^(any|some|more)$/.test(lead) ? 1 : 0;
  const traded =
    TRADES.has(words[at - 1 - some]?.lower ?? "") && TRADERS.has(words[at - 2 - some]?.lower ?? "");
  const reports = REPORTING.has(lead) && REPORTS.has(next);
  return reports || (ends && (asked || traded)) || (at === 0 && NEWS.has(next));
}

/** Whether a word may be a name: small letters, and a sentence's first word, only if no word of talk looks so. */
function isLikeAName({ base, opens }: Word): boolean {
  const small = /^\p{Ll}/u.test(base) || opens;
  const name = base.toLowerCase();
  return !small || !(WORDLIKE.test(name) || NO_SMALL.has(name));
}
