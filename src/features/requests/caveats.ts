import type { Symbols } from "../../domain/ports.ts";
import type { QuestionIntent, SkillResult } from "../../domain/requests/interpretation.ts";
import type { Mention } from "../../market/symbols/mentions/span.ts";
import subjects from "./data/subjects.json" with { type: "json" };
import type { Filters } from "./details/filters.ts";
import { joinWords, when } from "./sentences.ts";
import { MAX_LISTED, type ParsedQuestion, requestsData, type SkillCall } from "./skill-calls.ts";

/** Tools that accept `as_of`; the first of them in an answer is recommended for an earlier day. */
const REPLAYED = ["get_congress_signal", "get_news", "get_prediction_markets"] as const;
const OF_SIGNALS: ReadonlySet<QuestionIntent> = new Set(["signal", "compare", "portfolio"]);
const LOOKS_BACK: ReadonlySet<QuestionIntent> = new Set(["news", "earnings"]);

/**
 * Returns sentences and notes on parts of a question that the answer does not cover: its time, filters or a politician.
 */
export function caveatsOf(
  { intent, topics, symbols, mentions, timeframe, asOf, past: named }: ParsedQuestion,
  answered: {
    readonly calls: readonly SkillCall[];
    readonly others: readonly SkillResult[];
    readonly unanswered: readonly string[];
    readonly notListed?: Symbols["notListed"];
  },
) {
  const { calls, others, unanswered, notListed } = answered;
  const past = calls.slice(symbols.length).some(isDated) ? null : named;
  const asOfSkills = new Set(calls.flatMap(({ skill, input }) => ("as_of" in input ? skill : [])));
  const has = (...skills: readonly string[]) =>
    others.some(({ skill, error }) => error === null && skills.includes(skill));
  const isList = intent === "scan" && has("screen_universe", "scan_symbols");
  const { count, filters } = topics;
  // nightly runs use daily bars
  const bars = timeframe === null || timeframe === "1d" ? [] : [`${timeframe} bars`];
  const isOfAllCongress = symbols.length === 0 && has("get_congress_signal");
  const ignored = isOfAllCongress ? ignoredFilters(filters) : [];
  return {
    /** Sentences before the figures. */
    leading: [
      pastSentences(),
      when(
        isList && topics.overall,
        "Not answered: one figure over a whole list, such as an average; these are rows of the list.",
      ),
      when(
        topics.moodless !== null && has("get_signal_index"),
        `No sentiment for ${topics.moodless} alone is available; this covers the whole US stock market.`,
      ),
      when(ignored.length > 0, `This covers all disclosed trades, not only ${joinWords(ignored)}.`),
      when(isList && bars.length > 0, `Lists use daily bars, not ${joinWords(bars)}.`),
      when(
        isList && filters.sort !== undefined,
        `${subjects.firstRows[filters.sort ?? "score"]} come first.`,
      ),
    ].flat(),
    /** Why there is no list. */
    refused: when(
      intent === "scan" && symbols.length === 0 && topics.unserved.length > 0 && others.length === 0,
      `The screener has no filter for ${joinWords(topics.unserved)}. It filters by grade, bias, tier, stage, phase, score, sector, asset class and rules such as rsi(14) < 30: ask for a list by one of those.`,
    ),
    /** Sentences after the figures: on a named politician, and on a fund that is not named by its ticker. */
    following: [
      when(
        topics.politician && has("get_congress_signal"),
        "This covers the whole House and Senate; get_political_trades lists the trades of one member.",
      ),
      has("get_quote") ? mentions.flatMap(fundSentence) : [],
      mentions.flatMap((mention) => standInSentence(mention, notListed)),
    ].flat(),
    notes: [
      when(isOfNow(), "The question names a past time; the answer is current"),
      when(
        isList && (count ?? 0) > MAX_LISTED,
        `Lists show at most ${MAX_LISTED} rows; screen_universe returns up to 100`,
      ),
      when(unanswered.length > 0, `Also requested and not answered: ${unanswered.join(", ")}`),
    ].flat(),
  };

  function isOfNow(): boolean {
    if (past === null || asOf !== null || !requestsData(intent)) return false;
    if (has("get_calendar") || symbols.length + others.length === 0) return false;
    return past.dated || !LOOKS_BACK.has(intent);
  }

  function pastSentences(): readonly string[] {
    if (asOf === null || symbols.length === 0) return when(isOfNow(), `This is current; ${earlier()}.`);
    const ofNow = [...new Set(others.map(({ skill }) => skill).filter((skill) => !asOfSkills.has(skill)))];
    if (ofNow.length === 0) return [`This is as of ${asOf}, from data known by then.`];
    const current = `${joinWords(ofNow)} ${ofNow.length === 1 ? "is" : "are"} current`;
    return [`Signals are as of ${asOf}, from data known by then; ${current}.`];
  }

  function earlier(): string {
    const tool =
      isList || others.length === 0
        ? "get_signal"
        : (REPLAYED.find((name) => has(name)) ??
          (symbols.length > 0 && OF_SIGNALS.has(intent) ? "get_signal" : undefined));
    return tool === undefined
      ? `earlier data for ${intent} is not available`
      : `call ${tool} with as_of for an earlier day`;
  }
}

/** Returns a note on a fund that is not named by its ticker: its share price is not the price of its holdings. */
function fundSentence({ text, instrument: { symbol, name, asset_class } }: Mention): readonly string[] {
  if (asset_class !== "etf" || text.replace(/^\$/, "").toUpperCase() === symbol) return [];
  return [`${symbol} is ${name}, a fund: this is the price of its shares, not of what it holds.`];
}

/** Returns a sentence on the fund that tracks an index, or on the current ticker of a company. */
function standInSentence({ text }: Mention, notListed: Symbols["notListed"]): readonly string[] {
  const other = notListed?.(text) ?? null;
  if (other?.kind === "index") return [`${text} ${other.reason}. ${other.hint}`];
  return other?.kind === "renamed" ? [`${text} ${other.reason}.`] : [];
}

/** Returns the filters that cannot be applied to trades of Congress. */
const ignoredFilters = ({ asset_class, sector }: Filters): readonly string[] => [
  ...when(asset_class === "crypto", "crypto"),
  ...when(asset_class === "etf", "funds"),
  ...when(sector !== undefined, `the sector ${sector}`),
];

/** Returns true if the input of a call contains the time of the question. */
const isDated = ({ input }: SkillCall): boolean =>
  ["as_of", "from", "to", "days", "hours", "years", "period"].some((field) => field in input);
