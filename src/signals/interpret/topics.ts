import type { Intent } from "../../domain/interpretation.ts";
import { plainText } from "../../lib/plain-text.ts";
import { countIn, unservedIn } from "./criteria.ts";
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
  /** What a list is to be narrowed to that no screen has, in words of ours. */
  readonly unserved: readonly string[];
  /** How many lines of a list are asked for. */
  readonly count: number | null;
  /** Whether one politician is named. */
  readonly politician: boolean;
  /** What is asked for outright, whatever else is. */
  readonly also: readonly Intent[];
}

/** What a list is narrowed to, in the words of the screener. */
export interface Filters {
  readonly bias?: "LONG" | "SHORT";
  readonly tier?: "HOT";
  readonly asset_class?: "equity" | "etf" | "crypto";
  readonly sector?: string;
  readonly stage?: number;
  readonly grade?: string;
  readonly phase?: "Accumulation" | "Distribution" | "Markup" | "Markdown";
  readonly min_score?: number;
  readonly sort?: "score_asc" | "rr";
}

const FLOWS: Readonly<Record<FlowTopic, RegExp>> = {
  options:
    /\b(options?|calls?|puts?|put.call|sweeps?|unusual activity|open interest|implied vol\w*|iv|gamma|gex|skew|tide|protection|hedg\w+)\b/i,
  dark_pool: /\b(dark.?pools?|off.exchange|prints?|block trades?|blocks)\b/i,
  congress:
    /\b(congress\w*|senat\w+|house members?|representatives?|politicians?|political|lawmakers?|pelosi|tuberville|crenshaw|gottheimer|mccaul|ocasio.cortez|mcconnell|schumer|wyden|democrats?|republicans?|capitol)\b/i,
};
/** Members of Congress whose names are no other words. */
const POLITICIAN =
  /\b(pelosi|tuberville|crenshaw|gottheimer|mccaul|ocasio.cortez|aoc|mcconnell|schumer|wyden|ro khanna|taylor greene|mullin|ted cruz|hawley|elizabeth warren|bernie sanders|rick scott|kevin hern|nancy mace)\b/i;
const TITLED = /\b([Ss]enator|[Ss]en\.|[Rr]ep\.|[Rr]epresentative|[Cc]ongress(wo)?man) \p{Lu}\p{Ll}+/u;
/** What is asked for outright in whatever question. */
const ALSO = {
  earnings: /\b(earnings|eps|guidance)\b|\bwhen\b.{0,40}\breports?\b/i,
  news: /\b(news|headlines?)\b/i,
  flow: /\b(options? (flow|activity|volume)|unusual (options|activity)|dark.?pools?|block trades?|congress\w*|senators?|lawmakers?|politicians?|flow)\b/i,
} as const;
const TRADERS =
  /\b(options? (traders?|buyers?|sellers?)|most active( \S+)? options|buying protection|whales?|pelosi|tuberville|crenshaw|gottheimer|mccaul|ocasio.cortez|mcconnell|schumer|wyden|members? of congress|lawmakers?|senators?|democrats|republicans)\b/i;
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
    unserved: unservedIn(text),
    count: countIn(text),
    politician: POLITICIAN.test(text) || TITLED.test(text),
    also: (Object.keys(ALSO) as (keyof typeof ALSO)[]).filter((intent) => ALSO[intent].test(text)),
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
  const meant = text.replace(
    /\b(no|not|without|excluding|except|other than|besides|minus)( (any|the))? (crypto\w*|coins?|tokens?|altcoins?)\b/gi,
    " ",
  );
  const crypto = /\b(crypto\w*|coins?|tokens?|altcoins?)\b/i.test(
    meant.replace(/\bcrypto\w* (stocks?|compan\w+|shares|equit\w+)\b/gi, " "),
  );
  const short =
    /\b(shorts?|bearish|sell(s|ing)?|downtrends?|weak(est)?|worst|bottom|losers?|avoid|stay away|get rid of|dump|lowest (scores?|rated|ranked|graded?))\b/i.test(
      text,
    );
  const long = /\b(longs?|bullish|buys?|buying|uptrends?)\b/i.test(text);
  const grade =
    /\bgraded? ([a-d][+-]?|f)(?![\w+-])/i.exec(text)?.[1] ??
    /(?<![\w$])([A-DF])-(?:grade|graded|rated)\b/.exec(text)?.[1] ??
    /(?<![\w$])([A-D][+-])(?= (?:rated|graded|grade|stocks|longs|shorts|setups|names|coins|signals)\b)/.exec(
      text,
    )?.[1];
  const phase = /\b(accumulation|distribution|mark-?up|mark-?down)\b/i
    .exec(text)?.[1]
    ?.toLowerCase()
    .replace("-", "");
  const least = /\bscores? (?:of |is |are )?(?:over|above|at least|more than|>=?) ?(\d{1,3})\b/i.exec(
    text,
  )?.[1];
  return {
    ...(short && !long && { sort: "score_asc" as const }),
    ...(/\b(longs?|shorts?)\b/i.test(text) && long !== short && { bias: long ? "LONG" : "SHORT" }),
    ...(/\bhot(test)?\b/i.test(text) && { tier: "HOT" as const }),
    ...(/\b(reward|risk.reward|r:r)\b/i.test(text) && { sort: "rr" as const }),
    ...assetClass({ crypto, funds: FUNDS.test(meant), stocks: STOCKS.test(meant), sector }),
    ...(sector !== undefined && !crypto && { sector }),
    ...(stage !== undefined && { stage: Number(stage) }),
    ...(grade !== undefined && { grade: grade.toUpperCase() }),
    ...(phase !== undefined && { phase: PHASES[phase]! }),
    ...(least !== undefined && Number(least) <= 100 && { min_score: Number(least) }),
  };
}

const STOCKS = /\b(stocks?|shares|equit\w+|compan\w+|(large|mega|mid|small|micro)[ -]?caps?|blue.chips?)\b/i;
const FUNDS = /\b(etfs?|funds?)\b/i;
const PHASES: Readonly<Record<string, NonNullable<Filters["phase"]>>> = {
  accumulation: "Accumulation",
  distribution: "Distribution",
  markup: "Markup",
  markdown: "Markdown",
};

/** The one class that is asked for; of stocks and funds the stocks, for coins are not meant. */
function assetClass({
  crypto,
  funds,
  stocks,
  sector,
}: {
  readonly crypto: boolean;
  readonly funds: boolean;
  readonly stocks: boolean;
  readonly sector: string | undefined;
}): Pick<Filters, "asset_class"> {
  if (crypto) return stocks ? {} : { asset_class: "crypto" };
  if (stocks) return { asset_class: "equity" };
  if (funds) return { asset_class: "etf" };
  return sector === undefined ? {} : { asset_class: "equity" };
}
