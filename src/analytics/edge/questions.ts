import type { Bars } from "../../domain/market/bars.ts";
import type { LevelBet } from "../../domain/prediction-markets/contracts.ts";
import { groupBy } from "../../lib/group-by.ts";
import { WIDEST } from "../contracts/aggregate.ts";
import { isDecidable, openProbability, realisedVolatility, spreadUntil } from "../contracts/probability.ts";
import { sum } from "../statistics.ts";

const DAY = 86_400_000;

/** A liquid bet with what it costs to cross its book. */
export interface PricedBet extends LevelBet {
  /** Half of ask less bid, 0 to 1; null if it was not stored: then it was at most half of the widest accepted spread. */
  readonly halfSpread: number | null;
}

/** A venue's say in a question. */
export interface EdgeVenueEstimate extends PricedBet {
  /** Its part of the answer, 0 to 1. */
  readonly weight: number;
}

/** One question over the venues that ask it: is the price above the level on the day, or reaches it until then. */
export interface Question {
  readonly kind: LevelBet["kind"];
  /** US dollars. */
  readonly level: number;
  /** When it is decided, epoch ms. */
  readonly by: number;
  /** Middles of the venues, weighted by log10 of the dollars traded. */
  readonly probability: number;
  /** Of the same level for a lognormal price without drift and with the realised volatility. */
  readonly neutral: number;
  /** Highest less lowest venue; null for one venue. */
  readonly disagreement: number | null;
  /** Weighted as the probability; the widest accepted spread is used if it was not stored. */
  readonly halfSpread: number;
  readonly halfSpreadKnown: boolean;
  readonly dollars: number;
  /** Busiest first, one a venue. */
  readonly voices: readonly [EdgeVenueEstimate, ...EdgeVenueEstimate[]];
}

/** The questions that qualify, or why there are none. */
export interface Questions {
  /** Best first. */
  readonly questions: readonly Question[];
  /** null where there are some. */
  readonly reason: string | null;
}

/**
 * The questions among bets at a moment, with the price of it and daily bars up to it: those that end within a day to a year and that price
 * and volatility leave open (5 to 95%). Best first: the greatest log10(dollars) x neutral x (1 - neutral). Later bets are not read.
 */
export function questionsOf(
  bets: readonly PricedBet[],
  { bars, price, at }: { readonly bars: Bars; readonly price: number; readonly at: number },
): Questions {
  const none = (reason: string): Questions => ({ questions: [], reason });
  const groups = groupBy(
    bets.filter((bet) => bet.at <= at && isDecidable(bet, at)),
    ({ kind, level, by }) => `${kind} ${level} ${Math.floor((by! - 1) / DAY)}`,
  );
  if (groups.size === 0) return none("No liquid market on a price level ends within a day to a year");
  const realised = realisedVolatility(bars);
  if (realised === null) return none("Realised volatility needs 21 daily moves");
  const open = [...groups.values()].flatMap((group) => {
    const { kind, level, by } = group[0]!;
    const neutral = openProbability(kind, { price, level, spread: spreadUntil(realised, at, by!) });
    return neutral === null ? [] : [questionOf(group, neutral)];
  });
  if (open.length === 0)
    return none("Every level of a liquid market is all but decided by price and volatility");
  const rank = ({ dollars, neutral }: Question) => Math.log10(dollars) * neutral * (1 - neutral);
  return {
    questions: open.sort((a, b) => rank(b) - rank(a) || a.by - b.by || a.level - b.level),
    reason: null,
  };
}

function questionOf(group: readonly PricedBet[], neutral: number): Question {
  const byVenue = new Map<string, PricedBet>();
  for (const bet of group.toSorted((a, b) => b.dollars - a.dollars || (a.id < b.id ? -1 : 1)))
    if (!byVenue.has(bet.venue)) byVenue.set(bet.venue, bet);
  const speaking = [...byVenue.values()];
  const total = sum(speaking.map(({ dollars }) => Math.log10(dollars)));
  const voices = speaking.map(
    (bet): EdgeVenueEstimate => ({ ...bet, weight: Math.log10(bet.dollars) / total }),
  );
  const [first] = voices as [EdgeVenueEstimate, ...EdgeVenueEstimate[]];
  const shares = voices.map(({ probability }) => probability);
  const mean = (of: (voice: EdgeVenueEstimate) => number) =>
    sum(voices.map((voice) => voice.weight * of(voice)));
  return {
    kind: first.kind,
    level: first.level,
    by: first.by!,
    neutral,
    probability: mean(({ probability }) => probability),
    disagreement: shares.length < 2 ? null : Math.max(...shares) - Math.min(...shares),
    halfSpread: mean(({ halfSpread }) => halfSpread ?? WIDEST / 2),
    halfSpreadKnown: voices.every(({ halfSpread }) => halfSpread !== null),
    dollars: sum(voices.map(({ dollars }) => dollars)),
    voices: voices as [EdgeVenueEstimate, ...EdgeVenueEstimate[]],
  };
}
