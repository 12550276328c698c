import type { Bars } from "../../domain/market/bars.ts";
import type { LevelBet } from "../../domain/prediction-markets/contracts.ts";
import { groupBy } from "../../lib/group-by.ts";
import { MAX_SPREAD } from "../contracts/aggregate.ts";
import { isDecidable, openProbability, realisedVolatility, spreadUntil } from "../contracts/probability.ts";
import { sum } from "../statistics.ts";

const DAY = 86_400_000;

/** A liquid bet with its half-spread. */
export interface PricedBet extends LevelBet {
  /**
   * (ask - bid) / 2, 0-1; null if it was not stored, in which case it was at most half of the maximum accepted spread.
   */
  readonly halfSpread: number | null;
}

export interface EdgeVenueEstimate extends PricedBet {
  /** Weight in the combined probability, 0-1. */
  readonly weight: number;
}

/** One question across venues: the price is above the level on the day, or reaches it by then. */
export interface Question {
  readonly kind: LevelBet["kind"];
  /** US dollars. */
  readonly level: number;
  /** Time of the decision, epoch ms. */
  readonly by: number;
  /** Mean of the venues' midpoints, weighted by log10 of the dollars traded. */
  readonly probability: number;
  /** Probability of the same level for a driftless lognormal price with the realised volatility. */
  readonly neutral: number;
  /** Highest minus lowest venue; null with one venue. */
  readonly disagreement: number | null;
  /** Mean with the same weights; an unknown one counts as half of the maximum accepted spread. */
  readonly halfSpread: number;
  readonly halfSpreadKnown: boolean;
  readonly dollars: number;
  /** One estimate per venue, by dollars traded, descending. */
  readonly estimates: readonly [EdgeVenueEstimate, ...EdgeVenueEstimate[]];
}

export interface Questions {
  /** By rank, best first. */
  readonly questions: readonly Question[];
  /** Null if there are questions. */
  readonly reason: string | null;
}

/**
 * Returns the questions among bets at time `at`, given the price then and daily bars up to then: those that end in a
 * day to a year and that price and volatility leave undecided (5 to 95%). Sorted by log10(dollars) x neutral x (1 -
 * neutral), descending. Later bets are ignored.
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
  if (open.length === 0) return none("Price and volatility leave no level of a liquid market undecided");
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
  const largest = [...byVenue.values()];
  const total = sum(largest.map(({ dollars }) => Math.log10(dollars)));
  const estimates = largest.map(
    (bet): EdgeVenueEstimate => ({ ...bet, weight: Math.log10(bet.dollars) / total }),
  );
  const [first] = estimates as [EdgeVenueEstimate, ...EdgeVenueEstimate[]];
  const shares = estimates.map(({ probability }) => probability);
  const mean = (of: (estimate: EdgeVenueEstimate) => number) =>
    sum(estimates.map((estimate) => estimate.weight * of(estimate)));
  return {
    kind: first.kind,
    level: first.level,
    by: first.by!,
    neutral,
    probability: mean(({ probability }) => probability),
    disagreement: shares.length < 2 ? null : Math.max(...shares) - Math.min(...shares),
    halfSpread: mean(({ halfSpread }) => halfSpread ?? MAX_SPREAD / 2),
    halfSpreadKnown: estimates.every(({ halfSpread }) => halfSpread !== null),
    dollars: sum(estimates.map(({ dollars }) => dollars)),
    estimates: estimates as [EdgeVenueEstimate, ...EdgeVenueEstimate[]],
  };
}
