import type { Instrument } from "../../../domain/market/market.ts";
import type { TextContext } from "./mentions.ts";
import { isAdjacent, isSameSentence, nextWord } from "./span.ts";
import { CAPITALS } from "./tickers.ts";
import { isAskedAbout, isJudged, isSubject } from "./trade-phrases.ts";
import { WORDS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** `meant`: an instrument; `with_neighbour`: only next to another instrument; `none`: a word. */
export type Certainty = "meant" | "with_neighbour" | "none";

const TIME = /^(\d{1,4}(m|h|d|min|mins|hr|hour)|[hmd]\d{1,3}|daily|hourly)$/;
/** Matches single lower-case letters that are tickers of large companies but not words. */
const LETTER = /^[cfotv]$/;

/** Returns the instrument whose ticker is this word, and how certain that is; null if there is none. */
export function tickerInContext(
  words: readonly Word[],
  at: number,
  { symbols, small, capitalsAreTickers }: TextContext,
): { readonly instrument: Instrument; readonly doubt: Certainty } | null {
  const { base, lower, opens } = words[at]!;
  if (!/^[A-Za-z]{1,5}$/.test(base)) return null;
  const instrument = symbols.find(base)?.instrument;
  if (instrument === undefined || !symbols.familiar(instrument)) return null;
  return { instrument, doubt: doubtOf() };

  function doubtOf(): Certainty {
    const before = isSameSentence(words[at]) ? words[at - 1] : undefined;
    const next = nextWord(words, at + 1);
    const lead = before?.lower ?? "";
    const followsNoun =
      WORDS.tickerPrepositions.has(lead) &&
      isSameSentence(before) &&
      WORDS.tickerNouns.has(words[at - 2]?.lower ?? "");
    const named =
      lead === "ticker" ||
      lead === "symbol" ||
      (/^(nyse|nasdaq)$/.test(lead) && (words[at]!.gap.includes(":") || CAPITALS.test(base)));
    const isAmount = /^\d[\d.,]*k?$/.test(words[at - 2]?.lower ?? "") && /^shares?$/.test(lead);
    const reports =
      (WORDS.reportVerbs.has(next) ||
        (WORDS.reportedThings.has(next) && (WORDS.reportLeads.has(lead) || !WORDS.everyday.has(lower)))) &&
      !WORDS.companyVerbs.has(lower);
    if (WORDS.initials.has(base)) return named ? "meant" : "none";
    const capitals = CAPITALS.test(base) && small;
    if (
      named ||
      (followsNoun && /^[A-Z]/.test(base) && /^(shares?|stock|ticker)$/.test(words[at - 2]!.lower))
    )
      return "meant";
    if (capitals) {
      if (
        base === "A"
          ? isSubject(words, at) || isJudged(words, at)
          : !WORDS.emphasisedWords.has(base) && isSubject(words, at)
      )
        return "meant";
      if (WORDS.emphasisedWords.has(base) && !(base === "A" && !opens && next === "stock"))
        return followsNoun
          ? "meant"
          : WORDS.versus.has(next) || WORDS.versus.has(lead) || (base === "A" && isListed(words, at))
            ? "with_neighbour"
            : "none";
      if (WORDS.stockNouns.has(next) && next !== "shares") return "meant";
      if (
        followsNoun ||
        isAmount ||
        (next !== "" &&
          WORDS.talk.has(next) &&
          !opens &&
          capitalsAreTickers &&
          !/^(calls|puts|open|buy|sell|order)$/.test(next))
      )
        return "meant";
      const judged = [words[at + 1], words[at + 2]].some(
        (word) => isAdjacent(word) && WORDS.judgementWords.has(word.lower),
      );
      if (WORDS.subjectVerbs.has(lead) && (judged || (base !== "IT" && isJudged(words, at)))) return "meant";
      if (/^(analy[sz]e|compare|chart|vs|versus)$/.test(lead) && !WORDS.functionWords.has(next))
        return "meant";
      return "with_neighbour";
    }
    if (CAPITALS.test(base)) {
      const plain = !WORDS.everyday.has(lower) && !WORDS.acronyms.has(base);
      return (plain && base.length === 2) || WORDS.stockNouns.has(next) || TIME.test(next) || reports
        ? "meant"
        : plain
          ? "with_neighbour"
          : "none";
    }
    if (/^[A-Z]/.test(base)) return followsNoun ? "meant" : "none";
    const word = lower.replace(/'s$/, "");
    const rival =
      (WORDS.versus.has(lead) &&
        (!WORDS.functionWords.has(word) ||
          next === "" ||
          /^(and|or|vs|versus)$/.test(next) ||
          WORDS.talk.has(next))) ||
      (WORDS.versus.has(next) &&
        (!WORDS.functionWords.has(word) || before === undefined || WORDS.comparisonLeads.has(lead)));
    if (word === "gm" && !opens) {
      const isMeant = isSubject(words, at) || isAskedAbout(words, at) || isJudged(words, at);
      return isMeant || WORDS.stockNouns.has(next) ? "meant" : "with_neighbour";
    }
    if (WORDS.chatAbbreviations.has(word)) return "none";
    if (
      lead === "of" &&
      /^(shares?|stock)$/.test(words[at - 2]?.lower ?? "") &&
      !WORDS.functionWords.has(word)
    )
      return "meant";
    const judged =
      next === "a" && isAdjacent(words[at + 2]) && WORDS.judgementWords.has(words[at + 2]!.lower);
    if (judged && WORDS.subjectVerbs.has(lead) && !WORDS.functionWords.has(word)) return "meant";
    if (reports && word.length > 2 && !WORDS.functionWords.has(word)) return "meant";
    if (WORDS.stockNouns.has(next) && !WORDS.functionWords.has(word))
      return word.length === 1 && next !== "stock" ? "none" : "meant";
    const isShort = word.length === 2 || LETTER.test(word);
    if (isShort && !isWord(base) && (isSubject(words, at) || isAskedAbout(words, at))) return "meant";
    if (!isShort) {
      const isToken = instrument!.asset_class === "crypto";
      if (isToken && WORDS.everyday.has(word))
        return /^(price|coin|token|crypto)$/.test(next) || TIME.test(next) ? "meant" : "with_neighbour";
      return !rival && (WORDS.functionWords.has(word) || WORDS.acronyms.has(base.toUpperCase()))
        ? "none"
        : "with_neighbour";
    }
    if (
      word === "v" &&
      !WORDS.joiners.has(lead) &&
      words[at + 1] !== undefined &&
      isAdjacent(words[at + 1]) &&
      !WORDS.talk.has(next)
    )
      return "none";
    if (WORDS.functionWords.has(word)) return rival ? "with_neighbour" : "none";
    if (WORDS.talk.has(next) || TIME.test(next))
      return word.length === 2 || words.length === 2 ? "meant" : "with_neighbour";
    if (followsNoun || (WORDS.tickerLeads.has(lead) && word.length === 2)) return "meant";
    return words.length === 1 ? "meant" : "with_neighbour";
  }
}

const isWord = (base: string): boolean =>
  WORDS.functionWords.has(base) || WORDS.talk.has(base) || WORDS.acronyms.has(base.toUpperCase());

/** Returns true if a word is joined to another word in capitals: `compare A and T`. */
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
