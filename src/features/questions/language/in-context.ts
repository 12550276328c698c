import type { Instrument } from "../../../domain/market/market.ts";
import { isJudged, isSubject } from "./judged.ts";
import type { Setting } from "./mentions.ts";
import { ACRONYMS, EVERYDAY } from "./ordinary.ts";
import { goesOn, isNext } from "./span.ts";
import { FUNCTION, JOIN, LEAD, STOCK, TALK } from "./talk.ts";
import { CAPITALS } from "./tickers.ts";
import type { Word } from "./words.ts";

/** How a ticker that is hard to tell from a word is read: as it stands, only beside another instrument, or not at all. */
export type Doubt = "meant" | "beside" | "none";

const OF = /^(of|in|for|on)$/;
const HOLDS =
  /^(shares?|stock|signal|signals|chart|ticker|position|earnings|calls|puts|price|outlook|analysis|news)$/;
const IS = /^(is|are|was|does|will|would|how's|hows|whats|what's|how|should)$/;
const JUDGED =
  /^(buy|sell|hold|short|long|bullish|bearish|overbought|oversold|overvalued|undervalued|trending|worth|cheap|expensive)$/;
const TIME = /^(\d{1,4}(m|h|d|min|mins|hr|hour)|[hmd]\d{1,3}|daily|hourly)$/;
/** Initials of something else however they stand. */
const INITIALS = /^(US|AI|EV|PE|PC|PM|AM|TV|UK|EU|UN|ETF|CEO|CFO|IPO|USD|RSI|EMA|SMA)$/;
/** What capitals before `stock` are said of any. */
export const SAID_LOUDLY =
  /^(A|ANY|NEW|BEST|GOOD|BAD|BIG|ONE|MY|THE|NO|REAL|EVERY|BUY|SELL|HOLD|LONG|SHORT|THIS|THAT|SOME|I)$/;
const REPORTS = /^(beat|missed|reports|reported)$/;
const REPORTED = /^(earnings|guidance|dividend)$/;
/** What a company does with its earnings, and what stands before one that is named. */
const DOES = /^(beat|beats|miss|see|run|raise|cut|lift|post|play|hold|trade|grow|pay)$/;
const BEFORE = /^(|when|are|is|on|of|for|before|after|into|about|and|or|did|will|does|check|get|show)$/;
const LEADS = /^(is|are|how|compare|about|on|of|and|or)$/;
const RIVAL = /^(vs|versus)$/;
/** Single small letters that are tickers of great companies and stand for no word. */
const LETTER = /^[voft]$/;
const CHAT =
  /^(gm|gn|ur|im|ok|no|hi|yo|pm|am|rn|tf|lo|ms|mo|re|ex|vs|pc|al|ai|dm|pt|bc|op|sh|st|sp|el|la|le|de|es|en|et|ed|er)$/;

/** A ticker that stands where a word might, with how sure that is; null where nothing traded is written so. */
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
    const ofIt = OF.test(lead) && goesOn(before) && HOLDS.test(words[at - 2]?.lower ?? "");
    const called =
      lead === "ticker" ||
      lead === "symbol" ||
      (/^(nyse|nasdaq)$/.test(lead) && (words[at]!.gap.includes(":") || CAPITALS.test(base)));
    const reports =
      (REPORTS.test(next) || (REPORTED.test(next) && (BEFORE.test(lead) || !EVERYDAY.has(lower)))) &&
      !DOES.test(lower);
    if (INITIALS.test(base)) return called ? "meant" : "none";
    const capitals = CAPITALS.test(base) && small;
    if (called || (ofIt && /^[A-Z]/.test(base) && /^(shares?|stock|ticker)$/.test(words[at - 2]!.lower)))
      return "meant";
    if (capitals) {
      if (
        base === "A"
          ? isSubject(words, at) || isJudged(words, at)
          : !SAID_LOUDLY.test(base) && isSubject(words, at)
      )
        return "meant";
      if (SAID_LOUDLY.test(base) && !(base === "A" && !opens && next === "stock"))
        return ofIt
          ? "meant"
          : RIVAL.test(next) || RIVAL.test(lead) || (base === "A" && isListed(words, at))
            ? "beside"
            : "none";
      if (STOCK.has(next) && next !== "shares") return "meant";
      if (
        ofIt ||
        (next !== "" && TALK.has(next) && !opens && told && !/^(calls|puts|open|buy|sell|order)$/.test(next))
      )
        return "meant";
      const judged = [words[at + 1], words[at + 2]].some((word) => isNext(word) && JUDGED.test(word.lower));
      if (IS.test(lead) && judged) return "meant";
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
      (RIVAL.test(lead) &&
        (!FUNCTION.has(word) || next === "" || /^(and|or|vs|versus)$/.test(next) || TALK.has(next))) ||
      (RIVAL.test(next) && (!FUNCTION.has(word) || before === undefined || LEADS.test(lead)));
    if (word === "gm" && !opens) return STOCK.has(next) ? "meant" : "beside";
    if (CHAT.test(word)) return "none";
    const judged = next === "a" && isNext(words[at + 2]) && JUDGED.test(words[at + 2]!.lower);
    if (judged && IS.test(lead) && !FUNCTION.has(word)) return "meant";
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

/** Whether an `and`, `or` or `with` joins a word to another in capitals: `compare A and T`. */
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
