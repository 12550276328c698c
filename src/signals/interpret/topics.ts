import { plainText } from "../../lib/plain-text.ts";
import { asksWhether, type LevelAsked, levelAsked } from "./level-asked.ts";

/** Whose trades a question about flow means. */
export type FlowTopic = "options" | "dark_pool" | "congress";

/** What a question asks for within its intent, by its words. */
export interface Topics {
  /** Empty where the words tell none apart. */
  readonly flow: readonly FlowTopic[];
  /** Whether it asks what some kind of traders do, which is a question about flow in whatever form. */
  readonly asksTraders: boolean;
  /** What odds are asked for, in the words of the question; null where no odds are. */
  readonly odds: string | null;
  /** The price level that it names; null where it names none. */
  readonly level: LevelAsked | null;
  /** Whether it is about the mood of the whole market. */
  readonly mood: boolean;
  readonly filters: Filters;
}

/** What a list is narrowed to, in the words of the screener. */
export interface Filters {
  readonly bias?: "LONG" | "SHORT";
  readonly tier?: "HOT";
  readonly asset_class?: "equity" | "etf" | "crypto";
  readonly sector?: string;
  readonly stage?: number;
  readonly sort?: "score_asc" | "rr";
}

const FLOWS: Readonly<Record<FlowTopic, RegExp>> = {
  options:
    /\b(options?|calls?|puts?|put.call|sweeps?|unusual activity|open interest|implied vol\w*|iv|gamma|gex|skew|tide|protection|hedg\w+)\b/i,
  dark_pool: /\b(dark.?pools?|off.exchange|prints?|block trades?|blocks)\b/i,
  congress:
    /\b(congress\w*|senat\w+|house members?|representatives?|politicians?|political|lawmakers?|pelosi|democrats?|republicans?|capitol)\b/i,
};
const TRADERS =
  /\b(options? (traders?|buyers?|sellers?)|most active( \S+)? options|buying protection|whales?|members? of congress|lawmakers?|senators?|democrats|republicans)\b/i;
const ODDS =
  /\b(odds|probabilit\w+|chances?|likelihood|how likely|prediction.markets?|polymarket|kalshi|manifold|betting)\b/i;
const MOOD =
  /\b(sentiment|fear|greed\w*|mood|risk.(on|off)|signal index|ssi)\b|\bhow('s| is| are)? (the )?(stock )?markets?\b|\bmarkets? (doing|today|look\w*|overall|outlook)\b/i;

/** Words about the asking rather than about what is asked. */
const ABOUT_ASKING =
  /\b(what|whats|what's|which|how|likely|unlikely|is|are|was|does|do|did|the|a|an|on|of|for|that|there|will|would|say|says|show|me|tell|give|please|current|currently|odds|probability|probabilities|chances?|likelihood|prediction|markets?|polymarket|kalshi|manifold|bets?|betting|about|in|it|to|by)\b/giu;

const SECTORS: readonly (readonly [RegExp, string])[] = [
  [/\b(tech|technology|semiconductors?|chip|chips|software)\b/i, "Information Technology"],
  [/\b(financials?|banks?|banking)\b/i, "Financials"],
  [/\b(health ?care|pharma\w*|biotechs?)\b/i, "Health Care"],
  [/\b(energy|oil|gas)\b/i, "Energy"],
  [/\butilit(y|ies)\b/i, "Utilities"],
  [/\bindustrials?\b/i, "Industrials"],
  [/\bmaterials\b/i, "Materials"],
  [/\breal estate|reits?\b/i, "Real Estate"],
  [/\bstaples\b/i, "Consumer Staples"],
  [/\b(discretionary|retail\w*)\b/i, "Consumer Discretionary"],
  [/\b(communications?|telecoms?|media)\b/i, "Communication Services"],
];

/** What the words of a question ask for in particular. Nothing in them is obeyed. */
export function topicsOf(query: string): Topics {
  const text = query.slice(0, LONGEST_READ);
  return {
    flow: (Object.keys(FLOWS) as FlowTopic[]).filter((topic) => FLOWS[topic].test(text)),
    asksTraders: TRADERS.test(text),
    odds: ODDS.test(text) || asksWhether(text) ? oddsOf(text) : null,
    level: levelAsked(text),
    mood: MOOD.test(text),
    filters: filtersOf(text),
  };
}
const LONGEST_READ = 2_000;
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

function filtersOf(text: string): Filters {
  const sector = SECTORS.find(([words]) => words.test(text))?.[1];
  const stage = /\bstage[ -]?([1-4])\b/i.exec(text)?.[1];
  const crypto = /\b(crypto\w*|coins?|tokens?|altcoins?)\b/i.test(text);
  const short = /\b(shorts?|bearish|sell(s|ing)?|downtrends?|weak(est)?|worst|losers?)\b/i.test(text);
  const long = /\b(longs?|bullish|buys?|buying|uptrends?)\b/i.test(text);
  return {
    ...(short && !long && { sort: "score_asc" as const }),
    ...(/\b(longs?|shorts?)\b/i.test(text) && long !== short && { bias: long ? "LONG" : "SHORT" }),
    ...(/\bhot(test)?\b/i.test(text) && { tier: "HOT" as const }),
    ...(/\b(reward|risk.reward|r:r)\b/i.test(text) && { sort: "rr" as const }),
    ...(crypto
      ? { asset_class: "crypto" as const }
      : /\b(etfs?|funds?)\b/i.test(text)
        ? { asset_class: "etf" as const }
        : (/\b(stocks?|shares|equit\w+|compan\w+)\b/i.test(text) || sector !== undefined) && {
            asset_class: "equity" as const,
          }),
    ...(sector !== undefined && !crypto && { sector }),
    ...(stage !== undefined && { stage: Number(stage) }),
  };
}
