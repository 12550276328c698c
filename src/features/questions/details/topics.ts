import type { QuestionIntent } from "../../../domain/questions/interpretation.ts";
import { plainText } from "../../../lib/plain-text.ts";
import { withoutExcludedTopics } from "../language/plain-words.ts";
import { POLITICIANS } from "../language/politicians.ts";
import { unservedIn } from "./criteria.ts";
import { type Filters, filtersIn, type Narrowing } from "./filters.ts";
import { asksWhether, type LevelRequest, levelRequest } from "./level.ts";
import { asksOverall, isListRequest } from "./list.ts";
import { type MarketRequest, marketRequest } from "./market.ts";
import { countIn } from "./numbers.ts";

/** Kinds of flow that a question can name. */
export type FlowTopic = "options" | "dark_pool" | "congress";

/** Topics of a question within its intent. */
export interface Topics extends MarketRequest {
  /** Kinds of flow that the question names; may be empty. */
  readonly flow: readonly FlowTopic[];
  /** true: the question asks for all trades of Congress. */
  readonly allCongress: boolean;
  /** true: the question is about a group of traders, so that its intent is flow. */
  readonly asksTraders: boolean;
  /** Subject of the requested odds, in words of the question; null if no odds are requested. */
  readonly odds: string | null;
  /** The price level named; null if none. */
  readonly level: LevelRequest | null;
  readonly filters: Filters;
  /** Labels of criteria that the screener lacks. */
  readonly unserved: readonly string[];
  /** The wanted direction, if the list is not filtered by it. */
  readonly wants: Narrowing["wants"];
  /** true: the text asks for a list. */
  readonly isList: boolean;
  /** true: the question asks for one figure over a whole list. */
  readonly overall: boolean;
  /** Requested number of lines; null if not stated. */
  readonly count: number | null;
  /** true: a politician is named. */
  readonly politician: boolean;
  /** Intents named explicitly, besides the main one. */
  readonly also: readonly QuestionIntent[];
}

const FLOWS: Readonly<Record<FlowTopic, RegExp>> = {
  options:
    /\b(options?|calls?|puts?|put.call|sweeps?|unusual activity|open interest|implied vol\w*|iv|gamma|gex|skew|tide|protection|hedg\w+)\b/i,
  dark_pool: /\b(dark.?pools?|off.exchange|prints?|block trades?|blocks)\b/i,
  congress:
    /\b(congress\w*|senat\w+|house members?|representatives?|politicians?|political|lawmakers?|democrats?|republicans?|capitol)\b/i,
};
const POLITICIAN = new RegExp(`\\b(${POLITICIANS})\\b`, "i");
const TITLED = /\b([Ss]enator|[Ss]en\.|[Rr]ep\.|[Rr]epresentative|[Cc]ongress(wo)?man) \p{Lu}\p{Ll}+/u;
/** Words that name an intent explicitly. */
const ALSO = {
  earnings: /\b(earnings|eps|guidance)\b|\bwhen\b.{0,40}\breports?\b/i,
  news: /\b(news|headlines?)\b/i,
  flow: /\b(options? (flow|activity|volume)|unusual (options|activity)|dark.?pools?|block trades?|congress\w*|senators?|lawmakers?|politicians?|flow)\b/i,
} as const;
const ALL_CONGRESS =
  /\b(what|which stocks) (is|are|has|have|did|does|do) (the )?(congress|senators?|politicians?|lawmakers?|members of congress) (been )?(buy|buys|buying|bought|sell|sells|selling|sold|trade|trades|trading|traded)( (lately|now|right now|these days|recently|most|today))?\s*([?.!;]|$)/i;
const TRADERS =
  /\b(options? (traders?|buyers?|sellers?)|most active( \S+)? options|buying protection|whales?|members? of congress|lawmakers?|senators?|democrats|republicans)\b/i;
/** Words for odds. */
export const ODDS =
  /\b(odds|probabilit\w+|chances?|likelihood|how likely|prediction.markets?|polymarket|kalshi|manifold|betting)\b/i;
/** Matches words of the request that do not belong to its subject. */
const ABOUT_ASKING =
  /\b(what|whats|what's|which|how|likely|unlikely|is|are|was|does|do|did|the|a|an|on|of|for|that|there|will|would|say|says|show|me|tell|give|please|current|currently|odds|probability|probabilities|chances?|likelihood|prediction|markets?|polymarket|kalshi|manifold|bets?|betting|about|in|it|to|by)\b/giu;

/** Returns the topics of a question. Instructions in it are not followed. */
export function topicsOf(text: string): Topics {
  const { filters, unserved, wants, rest } = filtersIn(text);
  const count = countIn(text);
  const isPolitician = POLITICIAN.test(text);
  return {
    ...marketRequest(text),
    flow: (Object.keys(FLOWS) as FlowTopic[]).filter(
      (topic) => FLOWS[topic].test(text) || (topic === "congress" && isPolitician),
    ),
    allCongress: ALL_CONGRESS.test(text),
    asksTraders: isPolitician || TRADERS.test(text),
    odds: ODDS.test(text) || asksWhether(text) ? oddsOf(text) : null,
    level: levelRequest(text),
    filters,
    unserved: [...unserved, ...unservedIn(rest)],
    wants,
    count,
    isList: isListRequest(text, { filters, unserved, count }),
    overall: asksOverall(text),
    politician: isPolitician || TITLED.test(text),
    also: (Object.keys(ALSO) as (keyof typeof ALSO)[]).filter((intent) =>
      ALSO[intent].test(withoutExcludedTopics(text)),
    ),
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
