import type { QuestionIntent } from "../../../domain/requests/interpretation.ts";
import { plainText } from "../../../lib/plain-text.ts";
import words from "../data/words.json" with { type: "json" };
import { POLITICIANS, withoutExcludedTopics } from "../language/plain-words.ts";
import { labelsIn, patterns } from "../phrases.ts";
import { unservedIn } from "./criteria.ts";
import { filtersIn } from "./filters.ts";
import { countIn } from "./numbers.ts";
import { asksWhether, levelRequest } from "./odds.ts";
import type { PriceOddsTopic } from "./price-odds.ts";
import { screenRuleIn } from "./screen-rules.ts";

const SAYS = patterns({ ...words.topics, ...words.market, ...words.list }, words.names);

export type FlowTopic = keyof typeof FLOWS;

/** Topics of a question within its intent. */
export type Topics = ReturnType<typeof topicsOf>;

const FLOWS = patterns(words.flows);
const POLITICIAN = new RegExp(`\\b(${POLITICIANS})\\b`, "i");
const TITLED = /\b([Ss]enator|[Ss]en\.|[Rr]ep\.|[Rr]epresentative|[Cc]ongress(wo)?man) \p{Lu}\p{Ll}+/u;
/** Words that name an intent explicitly. */
const ALSO = patterns(words.also);
const ALL_CONGRESS =
  /\b(what|which stocks) (is|are|has|have|did|does|do) (the )?(congress|senators?|politicians?|lawmakers?|members of congress) (been )?(buy|buys|buying|bought|sell|sells|selling|sold|trade|trades|trading|traded)( (lately|now|right now|these days|recently|most|today))?\s*([?.!;]|$)/i;
/** Matches words of the request that do not belong to its subject. */
const ABOUT_ASKING =
  /\b(what|whats|what's|which|how|likely|unlikely|is|are|was|does|do|did|the|a|an|on|of|for|that|there|will|would|say|says|show|me|tell|give|please|current|currently|odds|probability|probabilities|chances?|likelihood|prediction|markets?|polymarket|kalshi|manifold|bets?|betting|about|in|it|to|by)\b/giu;

/** Returns the topics of a question. Instructions in it are not followed. */
export function topicsOf(text: string) {
  const { rule, rest: withoutRule } = screenRuleIn(text);
  const { unserved, rest } = filtersIn(withoutRule);
  const isPolitician = POLITICIAN.test(text);
  const wanted = withoutExcludedTopics(text);
  return {
    ...filtersIn(text),
    /** true: the mood of the market is requested. */
    mood: SAYS.mood.test(text) && !SAYS.ofLines.test(text),
    /** true: trading hours are requested. */
    hours: SAYS.hours.test(text),
    /** Label of a market whose mood is not available; null for the stock market. */
    moodless: SAYS.crypto.test(text) ? "crypto" : SAYS.index.test(text) ? "one index" : null,
    unserved: [...unserved, ...unservedIn(rest, rule !== null)],
    /** Screener rule that describes the list; null if there is none. */
    rule,
    flow: labelsIn(FLOWS, text.replace(POLITICIAN, "Congress")),
    /** true: the question asks for all trades of Congress. */
    allCongress: ALL_CONGRESS.test(text),
    /** true: the question is about a group of traders, so that its intent is flow. */
    asksTraders: isPolitician || SAYS.traders.test(text),
    /** Subject of the requested odds, in words of the question; null if no odds are requested. */
    odds: SAYS.odds.test(text) || asksWhether(text) ? oddsOf(text) : null,
    /** The text without words of asking. */
    subject: oddsOf(text),
    level: levelRequest(text),
    /** Requested number of lines; null if not stated. */
    count: countIn(text),
    /** true: the question asks for one figure over a whole list. */
    overall: SAYS.overall.test(text),
    politician: isPolitician || TITLED.test(text),
    /** Intents named explicitly, besides the main one. */
    also: labelsIn(ALSO, wanted),
  };
}
const MAX_TOPIC_LENGTH = 80;

/** Returns the subject of an odds request: the text without words of the request. */
const oddsOf = (text: string): string =>
  plainText(
    text
      .replace(ABOUT_ASKING, " ")
      .replace(/[^\p{L}\p{N}$%.'-]+/gu, " ")
      .trim(),
    MAX_TOPIC_LENGTH,
  ).replace(/…$/, "");

/** Intents of questions on odds of prices that are signal unless the question names them. */
const UNNAMED: ReadonlySet<QuestionIntent> = new Set(["unknown", "definition", "earnings", "news"]);

/** Intents that topics may change to flow. */
const OPEN: ReadonlySet<QuestionIntent> = new Set(["signal", "unknown"]);

/**
 * Returns the intent. A question on odds of prices that names no other intent becomes signal; signal and unknown become
 * flow if the question is about a group of traders. `priceOdds`: null if the question asks for no odds of prices.
 */
export function intentWithTopics(
  intent: QuestionIntent,
  { asksTraders, also }: Topics,
  priceOdds: PriceOddsTopic | null,
): QuestionIntent {
  const isOfLevels = priceOdds === "levels" || priceOdds === "plan";
  const isUnnamed = UNNAMED.has(intent) || (intent === "portfolio" && isOfLevels);
  if (priceOdds !== null && isUnnamed && !also.some((other) => other === intent)) return "signal";
  return asksTraders && OPEN.has(intent) ? "flow" : intent;
}
