import type { Instrument } from "../../../domain/market/market.ts";
import type { Setting } from "./mentions.ts";
import { goesOn, isNext } from "./span.ts";
import { CAPITALS } from "./tickers.ts";
import { isJudged, isSubject } from "./trade-phrases.ts";
import { WORDS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

const ACRONYMS = WORDS.acronyms;
const EVERYDAY = WORDS.everyday;
const FUNCTION = WORDS.functionWords;
const JOIN = WORDS.joiners;
const LEAD = WORDS.tickerLeads;
const STOCK = WORDS.stockNouns;
const TALK = WORDS.talk;

/** `meant`: an instrument; `beside`: only next to another instrument; `none`: a word. */
export type Doubt = "meant" | "beside" | "none";

const OF = WORDS.tickerPrepositions;
const HOLDS = WORDS.tickerNouns;
const IS = WORDS.subjectVerbs;
const JUDGED = WORDS.judgementWords;
const TIME = /^(\d{1,4}(m|h|d|min|mins|hr|hour)|[hmd]\d{1,3}|daily|hourly)$/;
/** Initials that never mean an instrument. */
const INITIALS = WORDS.initials;
/** Emphasised words before `stock`. */
export const SAID_LOUDLY = WORDS.emphasisedWords;
const REPORTS = WORDS.reportVerbs;
const REPORTED = WORDS.reportedThings;
/** Verbs of a company and its earnings, and the words before its name. */
const DOES = WORDS.companyVerbs;
const BEFORE = WORDS.reportLeads;
const LEADS = WORDS.comparisonLeads;
const RIVAL = WORDS.versus;
/** Single lower-case letters that are tickers of large companies and no words. */
const LETTER = /^[voft]$/;
const CHAT = WORDS.chatAbbreviations;

/** Returns the instrument whose ticker a word is, with how certain it is; null if there is none. */
export function inContext(
  words: readonly Word[],
  at: number,
  { symbols, small, told }: Setting,
): { readonly instrument: Instrument; readonly doubt: Doubt } | null {
  const { base, lower, opens } = words[at]!;
  if (!/^[A-Za-z]{1,5}$/.test(base)) return null;
  const instrument = symbols.find(base)?.instrument;
  if (instrument === undefined || !symbols.familiar(instrument)) return null;
  return { instrument, doubt: doubtOf() };

  function doubtOf(): Doubt {
    const before = goesOn(words[at]) ? words[at - 1] : undefined;
    const next = isNext(words[at + 1]) ? words[at + 1]!.lower : "";
    const lead = before?.lower ?? "";
    const ofIt = OF.has(lead) && goesOn(before) && HOLDS.has(words[at - 2]?.lower ?? "");
    const called =
      lead === "ticker" ||
      lead === "symbol" ||
      (/^(nyse|nasdaq)$/.test(lead) && (words[at]!.gap.includes(":") || CAPITALS.test(base)));
    const reports =
      (REPORTS.has(next) || (REPORTED.has(next) && (BEFORE.has(lead) || !EVERYDAY.has(lower)))) &&
      !DOES.has(lower);
    if (INITIALS.has(base)) return called ? "meant" : "none";
    const capitals = CAPITALS.test(base) && small;
    if (called || (ofIt && /^[A-Z]/.test(base) && /^(shares?|stock|ticker)$/.test(words[at - 2]!.lower)))
      return "meant";
    if (capitals) {
      if (
        base === "A"
          ? isSubject(words, at) || isJudged(words, at)
          : !SAID_LOUDLY.has(base) && isSubject(words, at)
      )
        return "meant";
      if (SAID_LOUDLY.has(base) && !(base === "A" && !opens && next === "stock"))
        return ofIt
          ? "meant"
          : RIVAL.has(next) || RIVAL.has(lead) || (base === "A" && isListed(words, at))
            ? "beside"
            : "none";
      if (STOCK.has(next) && next !== "shares") return "meant";
      if (
        ofIt ||
        (next !== "" && TALK.has(next) && !opens && told && !/^(calls|puts|open|buy|sell|order)$/.test(next))
      )
        return "meant";
      const judged = [words[at + 1], words[at + 2]].some((word) => isNext(word) && JUDGED.has(word.lower));
      if (IS.has(lead) && judged) return "meant";
      if (/^(analy[sz]e|compare|chart|vs|versus)$/.test(lead) && !FUNCTION.has(next)) return "meant";
      return "beside";
    }
    if (CAPITALS.test(base)) {
      const plain = !EVERYDAY.has(lower) && !ACRONYMS.has(base);
      return (plain && base.length === 2) || STOCK.has(next) || TIME.test(next) || reports
        ? "meant"
        : plain
          ? "beside"
          : "none";
    }
    if (/^[A-Z]/.test(base)) return ofIt ? "meant" : "none";
    const word = lower.replace(/'s$/, "");
    const rival =
      (RIVAL.has(lead) &&
        (!FUNCTION.has(word) || next === "" || /^(and|or|vs|versus)$/.test(next) || TALK.has(next))) ||
      (RIVAL.has(next) && (!FUNCTION.has(word) || before === undefined || LEADS.has(lead)));
    if (word === "gm" && !opens) return STOCK.has(next) ? "meant" : "beside";
    if (CHAT.has(word)) return "none";
    const judged = next === "a" && isNext(words[at + 2]) && JUDGED.has(words[at + 2]!.lower);
    if (judged && IS.has(lead) && !FUNCTION.has(word)) return "meant";
    if (reports && word.length > 2 && !FUNCTION.has(word)) return "meant";
    if (STOCK.has(next) && !FUNCTION.has(word))
      return word.length === 1 && next !== "stock" ? "none" : "meant";
    if (word.length > 2 || (word.length === 1 && !LETTER.test(word))) {
      const isToken = instrument!.asset_class === "crypto";
      if (isToken && EVERYDAY.has(word))
        return /^(price|coin|token|crypto)$/.test(next) || TIME.test(next) ? "meant" : "beside";
      return !rival && (FUNCTION.has(word) || ACRONYMS.has(base.toUpperCase())) ? "none" : "beside";
    }
    if (
      word === "v" &&
      !JOIN.has(lead) &&
      words[at + 1] !== undefined &&
      isNext(words[at + 1]) &&
      !TALK.has(next)
    )
      return "none";
    if (FUNCTION.has(word)) return rival ? "beside" : "none";
    if (TALK.has(next) || TIME.test(next)) return word.length === 2 ? "meant" : "beside";
    if (ofIt || (LEAD.has(lead) && word.length === 2)) return "meant";
    return words.length === 1 ? "meant" : "beside";
  }
}

/** Returns true if a word is joined to another in capitals: `compare A and T`. */
function isListed(words: readonly Word[], at: number): boolean {
  return [1, -1].some((step) => {
    const other = words[at + 2 * step];
    return (
      /^(and|or|&|with|to|against)$/.test(words[at + step]?.lower ?? "") &&
      other !== undefined &&
      other.base !== "I" &&
      CAPITALS.test(other.base)
    );
  });
}
