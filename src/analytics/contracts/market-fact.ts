import type { Bars } from "../../domain/market/bars.ts";
import type { Contract, LevelBet } from "../../domain/prediction-markets/contracts.ts";
import { clip } from "../drivers/driver-value.ts";
import type { DatedFact } from "../drivers/facts.ts";
import { dollarsOf, exclusionReason } from "./aggregate.ts";
import { isPricePositive, priceLevelOf } from "./levels.ts";
import { isDecidable, openProbability, realisedVolatility, spreadUntil } from "./probability.ts";

const DAY = 86_400_000;
/** Difference of probabilities at which the driver reaches 1. */
const FULL = 0.15;

/** The fact for the driver k_mkt, or the reason why it is missing. */
export type MarketFact =
  | { readonly fact: DatedFact; readonly reason: null }
  | { readonly fact: null; readonly reason: string };

export interface LevelBets {
  readonly bets: readonly LevelBet[];
  /** Null if there are bets. */
  readonly reason: string | null;
}

/** State of the instrument at time `at`: its daily bars and its price. Default price: the last close. */
export interface InstrumentState {
  readonly bars: Bars;
  readonly price?: number;
  /** Time, epoch ms. */
  readonly at: number;
}

/**
 * Returns the usable bets among contracts, which must be linked to the instrument: those on a price level that a rising
 * price makes more likely, in real money, with a spread of at most .1 and 5,000 dollars traded. Ignores contracts dated
 * after `at` (epoch ms).
 */
export function levelBetsOf(contracts: readonly Contract[], at: number): LevelBets {
  const none = (reason: string): LevelBets => ({ bets: [], reason });
  const known = contracts.filter(({ as_of }) => Date.parse(as_of) <= at);
  if (known.length === 0) return none("No linked prediction market is known");
  const levels = known.flatMap((contract) => {
    const level = priceLevelOf(contract, at);
    return level !== null && isPricePositive(level) ? [{ contract, level }] : [];
  });
  if (levels.length === 0)
    return none("No linked market is on a price level that a rising price makes more likely");
  const bets = levels.flatMap(({ contract, level: { kind, level, by } }): LevelBet[] => {
    const { venue, id, probability, as_of } = contract;
    const dollars = dollarsOf(contract);
    if (exclusionReason(contract) !== null || probability === null || dollars === null) return [];
    return [{ venue, id, kind, level, by, probability, dollars, at: Date.parse(as_of) }];
  });
  return bets.length === 0 ? none("No linked market on a price level is liquid") : { bets, reason: null };
}

/**
 * Returns the fact for k_mkt: (p - q) / .15, clipped to [-1, 1]. p is the probability of a bet; q is the probability
 * of the same level for a driftless lognormal price with the realised volatility. Of the undecided bets that end in a
 * day to a year, it uses the one with the highest log10(dollars) x q(1-q).
 */
export function betFact(bets: readonly LevelBet[], { bars, price, at }: InstrumentState): MarketFact {
  const dated = bets.filter((bet) => isDecidable(bet, at));
  if (dated.length === 0) return none("No liquid market on a price level ends within a day to a year");
  const realised = realisedVolatility(bars);
  if (realised === null) return none("Realised volatility needs 21 daily moves");
  const now = price ?? bars.close.at(-1)!;
  const weighed = dated.flatMap((bet) => {
    const { kind, level, by } = bet;
    const q = openProbability(kind, { price: now, level, spread: spreadUntil(realised, at, by!) });
    return q === null ? [] : [{ bet, q, weight: Math.log10(bet.dollars) * q * (1 - q) }];
  });
  const [best, ...others] = weighed;
  if (best === undefined) return none("Price and volatility leave no level of a liquid market undecided");
  const chosen = others.reduce((held, one) => (isBetter(one, held) ? one : held), best);
  const { bet, q } = chosen;
  const { venue, id, kind, level, by, probability: p, dollars } = bet;
  return {
    reason: null,
    fact: {
      value: clip((p - q) / FULL),
      time: bet.at,
      inputs: {
        venue,
        contract: id,
        kind,
        level,
        p,
        q,
        price: now,
        days: (by! - at) / DAY,
        daily_volatility: realised,
        dollars,
      },
    },
  };
}

/** Returns the fact for k_mkt from contracts linked to the instrument, by `levelBetsOf` and `betFact`. */
export function marketFact(contracts: readonly Contract[], known: InstrumentState): MarketFact {
  const { bets, reason } = levelBetsOf(contracts, known.at);
  return reason === null ? betFact(bets, known) : none(reason);
}

const none = (reason: string): MarketFact => ({ fact: null, reason });

interface Weighed {
  readonly bet: LevelBet;
  readonly weight: number;
}
/** Compares two bets by weight, then by name, so that the order of venues does not matter. */
const isBetter = (one: Weighed, held: Weighed): boolean =>
  one.weight > held.weight || (one.weight === held.weight && nameOf(one) < nameOf(held));
const nameOf = ({ bet: { venue, id } }: Weighed): string => `${venue} ${id}`;
