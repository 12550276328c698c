import type { Bars } from "../../domain/bars.ts";
import type { Contract } from "../../domain/contracts.ts";
import type { DatedFact } from "../drivers/facts.ts";
import { clip } from "../drivers/reading.ts";
import { dollarsOf, unusable } from "./aggregate.ts";
import { isPricePositive, type PriceLevel, priceLevelOf } from "./levels.ts";
import { aboveProbability, touchProbability } from "./probability.ts";
import { realisedVolatility, spreadUntil } from "./volatility.ts";

const DAY = 86_400_000;
/** Difference of probabilities at which the driver is full. */
const FULL = 0.15;
/** A level is weighed where price and volatility leave it open. */
const OPEN = [0.05, 0.95] as const;
/** Nearer days hang on the hour, farther ones on more than a volatility of three months. */
const NEAREST = DAY;
const FARTHEST = 365 * DAY;

/** The fact behind k_mkt, or why there is none. */
export type MarketFact =
  | {
      readonly fact: DatedFact;
      readonly contract: Contract;
      readonly level: PriceLevel;
      readonly reason: null;
    }
  | { readonly fact: null; readonly reason: string };

/** What is known of the instrument at the moment: its daily bars, and the price (that of the last close unsaid). */
export interface Known {
  readonly bars: Bars;
  readonly price?: number;
  /** Epoch ms. */
  readonly at: number;
}

/**
 * The fact behind k_mkt: (p - q) / .15 within [-1, 1], with p the probability of a contract on a price level that a rising price makes
 * likelier, and q that of the same level for a lognormal price without drift and with the realised volatility. Only contracts linked to
 * the instrument may be given. Of those that are liquid (real money, bid and ask at most .1 apart, 5,000 dollars), dated and still
 * open, the one with the greatest log10(dollars) x q(1-q) speaks. What became known after `at` is not read.
 */
export function marketFact(contracts: readonly Contract[], { bars, price, at }: Known): MarketFact {
  const known = contracts.filter(({ as_of }) => Date.parse(as_of) <= at);
  if (known.length === 0) return none("No linked prediction market is known");
  const levels = known.flatMap((contract) => {
    const level = priceLevelOf(contract, at);
    return level !== null && isPricePositive(level) ? [{ contract, level }] : [];
  });
  if (levels.length === 0)
    return none("No linked market is on a price level that a rising price makes likelier");
  const liquid = levels.filter(({ contract }) => unusable(contract) === null);
  if (liquid.length === 0) return none("No linked market on a price level is liquid");
  const dated = liquid.flatMap(({ contract, level }) =>
    level.by !== null && level.by >= at + NEAREST && level.by <= at + FARTHEST
      ? [{ contract, level, by: level.by }]
      : [],
  );
  if (dated.length === 0) return none("No liquid market on a price level ends within a day to a year");
  const realised = realisedVolatility(bars);
  if (realised === null) return none("Realised volatility needs 21 daily moves");
  const now = price ?? bars.close.at(-1)!;
  const weighed = dated.flatMap(({ contract, level, by }) => {
    const reach = { price: now, level: level.level, spread: spreadUntil(realised, at, by) };
    const q = level.kind === "at" ? aboveProbability(reach) : touchProbability(reach, "above");
    const weight = Math.log10(dollarsOf(contract)!) * q * (1 - q);
    return q >= OPEN[0] && q <= OPEN[1] ? [{ contract, level, by, q, weight }] : [];
  });
  const [best, ...others] = weighed;
  if (best === undefined)
    return none("Every level of a liquid market is all but decided by price and volatility");
  const chosen = others.reduce((held, one) => (isBetter(one, held) ? one : held), best);
  const { contract, level, by, q } = chosen;
  const p = contract.probability!;
  return {
    reason: null,
    contract,
    level,
    fact: {
      value: clip((p - q) / FULL),
      time: Date.parse(contract.as_of),
      inputs: {
        ...{ venue: contract.venue, contract: contract.id, kind: level.kind, level: level.level },
        ...{ p, q, price: now, days: (by - at) / DAY, daily_volatility: realised.daily },
        dollars: dollarsOf(contract),
      },
    },
  };
}

const none = (reason: string): MarketFact => ({ fact: null, reason });

interface Weighed {
  readonly contract: Contract;
  readonly weight: number;
}
/** Ties go by name, so that the order in which venues answer does not matter. */
const isBetter = (one: Weighed, held: Weighed): boolean =>
  one.weight > held.weight || (one.weight === held.weight && nameOf(one) < nameOf(held));
const nameOf = ({ contract: { venue, id } }: Weighed): string => `${venue} ${id}`;
