import type { Intent } from "../../../domain/questions/interpretation.ts";
import { plainText } from "../../../lib/plain-text.ts";
import { withoutAside } from "../language/aside.ts";
import { MAX_PARSED_LENGTH } from "../language/parsed-length.ts";
import { POLITICIANS } from "../language/politicians.ts";
import { countIn } from "./count.ts";
import { unservedIn } from "./criteria.ts";
import { type Filters, filtersIn, type Narrowing } from "./filters.ts";
import { asksWhether, type LevelRequest, levelRequest } from "./level.ts";
import { asksOverall, isListRequest } from "./list.ts";
import { type MarketRequest, marketRequest } from "./market.ts";

/** Whose trades a question about flow means. */
export type FlowTopic = "options" | "dark_pool" | "congress";

/** What a question asks for within its intent, by its words. */
export interface Topics extends MarketRequest {
  /** Empty where the words tell none apart. */
  readonly flow: readonly FlowTopic[];
  /** Whether it asks what Congress trades at all, whatever else is named. */
  readonly allCongress: boolean;
  /** Whether it asks what some kind of traders do, which is a question about flow in whatever form. */
  readonly asksTraders: boolean;
  /** What odds are asked for, in the words of the question; null where no odds are. */
  readonly odds: string | null;
  /** The price level that it names; null where it names none. */
  readonly level: LevelRequest | null;
  readonly filters: Filters;
  /** What a list is to be narrowed to that no screen has, in words of ours. */
  readonly unserved: readonly string[];
  /** The direction that every line of a list would have to have, where it is not narrowed to it. */
  readonly wants: Narrowing["wants"];
  /** Whether the words narrow a list, in whatever form. */
  readonly isList: boolean;
  /** Whether one figure over a whole list is asked for. */
  readonly overall: boolean;
  /** How many lines of a list are asked for. */
  readonly count: number | null;
  /** Whether one politician is named. */
  readonly politician: boolean;
  /** What is asked for outright, whatever else is. */
  readonly also: readonly Intent[];
}

const FLOWS: Readonly<Record<FlowTopic, RegExp>> = {
  options:
    /\b(options?|calls?|puts?|put.call|sweeps?|unusual activity|open interest|implied vol\w*|iv|gamma|gex|skew|tide|protection|hedg\w+)\b/i,
  dark_pool: /\b(dark.?pools?|off.exchange|prints?|block trades?|blocks)\b/i,
  congress: new RegExp(
    `\\b(congress\\w*|senat\\w+|house members?|representatives?|politicians?|political|lawmakers?|democrats?|republicans?|capitol|${POLITICIANS})\\b`,
    "i",
  ),
};
const POLITICIAN = new RegExp(`\\b(${POLITICIANS})\\b`, "i");
const TITLED = /\b([Ss]enator|[Ss]en\.|[Rr]ep\.|[Rr]epresentative|[Cc]ongress(wo)?man) \p{Lu}\p{Ll}+/u;
/** What is asked for outright in whatever question. */
const ALSO = {
  earnings: /\b(earnings|eps|guidance)\b|\bwhen\b.{0,40}\breports?\b/i,
  news: /\b(news|headlines?)\b/i,
  flow: /\b(options? (flow|activity|volume)|unusual (options|activity)|dark.?pools?|block trades?|congress\w*|senators?|lawmakers?|politicians?|flow)\b/i,
} as const;
const ALL_CONGRESS =
  /\b(what|which stocks) (is|are|has|have|did|does|do) (the )?(congress|senators?|politicians?|lawmakers?|members of congress) (been )?(buy|buys|buying|bought|sell|sells|selling|sold|trade|trades|trading|traded)( (lately|now|right now|these days|recently|most|today))?\s*([?.!;]|$)/i;
const TRADERS = new RegExp(
  `\\b(options? (traders?|buyers?|sellers?)|most active( \\S+)? options|buying protection|whales?|members? of congress|lawmakers?|senators?|democrats|republicans|${POLITICIANS})\\b`,
  "i",
);
/** Words for odds. */
export const ODDS =
  /\b(odds|probabilit\w+|chances?|likelihood|how likely|prediction.markets?|polymarket|kalshi|manifold|betting)\b/i;
/** Words about the asking rather than about what is asked. */
const ABOUT_ASKING =
  /\b(what|whats|what's|which|how|likely|unlikely|is|are|was|does|do|did|the|a|an|on|of|for|that|there|will|would|say|says|show|me|tell|give|please|current|currently|odds|probability|probabilities|chances?|likelihood|prediction|markets?|polymarket|kalshi|manifold|bets?|betting|about|in|it|to|by)\b/giu;

/** What the words of a question ask for in particular. Nothing in them is obeyed. */
export function topicsOf(query: string): Topics {
  const text = query.slice(0, MAX_PARSED_LENGTH);
  const { filters, unserved, wants, rest } = filtersIn(text);
  const count = countIn(text);
  return {
    ...marketRequest(text),
    flow: (Object.keys(FLOWS) as FlowTopic[]).filter((topic) => FLOWS[topic].test(text)),
    allCongress: ALL_CONGRESS.test(text),
    asksTraders: TRADERS.test(text),
    odds: ODDS.test(text) || asksWhether(text) ? oddsOf(text) : null,
    level: levelRequest(text),
    filters,
    unserved: [...unserved, ...unservedIn(rest)],
    wants,
    count,
    isList: isListRequest(text, { filters, unserved, count }),
    overall: asksOverall(text),
    politician: POLITICIAN.test(text) || TITLED.test(text),
    also: (Object.keys(ALSO) as (keyof typeof ALSO)[]).filter((intent) =>
      ALSO[intent].test(withoutAside(text)),
    ),
  };
}
const LONGEST_TOPIC = 80;

/** The words that are left once those about the asking are gone. */
const oddsOf = (text: string): string =>
  plainText(
    text
      .replace(ABOUT_ASKING, " ")
      .replace(/[^\p{L}\p{N}$%.'-]+/gu, " ")
      .trim(),
    LONGEST_TOPIC,
  ).replace(/…$/, "");
