import type { OptionChain, OptionContract } from "../../domain/options-flow/options.ts";
import { groupBy } from "../../lib/group-by.ts";
import { mean } from "../statistics.ts";
import { greeksAt, quoteTime, yearsUntil } from "./contract.ts";

const DAYS = 30;
const QUARTER_DELTA = 0.25;
/** Days to expiry within which a single expiry is used as the 30-day volatility. */
const NEAREST = 14;
const FARTHEST = 60;

/** Annual volatilities of one expiry as fractions; null if unknown. */
export interface Smile {
  readonly days: number;
  /** At-the-money volatility. */
  readonly atm: number | null;
  /** Volatility of the put with delta -0.25 and of the call with delta 0.25. */
  readonly put: number | null;
  readonly call: number | null;
}

/** Returns the smile of each expiry that has volatilities, nearest first; empty without a price of the underlying. */
export function smilesOf(chain: OptionChain): readonly Smile[] {
  const { contracts, underlying } = chain;
  const spot = underlying.price;
  if (spot === null) return [];
  const now = quoteTime(chain);
  const quoted = contracts.filter(({ iv }) => iv !== null);
  return [...groupBy(quoted, ({ expiry }) => expiry)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([expiry, own]) => ({
      days: 365 * yearsUntil(expiry, now),
      atm: atTheMoney(own, spot),
      put: atDelta(own, "put", spot, now),
      call: atDelta(own, "call", spot, now),
    }));
}

/**
 * Returns the volatility interpolated between the strikes around the price; each strike is the mean of its call and
 * put.
 */
function atTheMoney(contracts: readonly OptionContract[], spot: number): number | null {
  const strikes = groupBy(contracts, ({ strike }) => strike);
  const points = [...strikes].map(([strike, own]): Point => [strike, mean(own.map(({ iv }) => iv!))]);
  return between(points, spot);
}

function atDelta(
  contracts: readonly OptionContract[],
  type: "call" | "put",
  spot: number,
  now: number,
): number | null {
  const points = contracts.flatMap((one): Point[] => {
    if (one.type !== type) return [];
    const greeks = greeksAt(one, spot, now);
    return greeks === null ? [] : [[Math.abs(greeks.delta), one.iv!]];
  });
  return between(points, QUARTER_DELTA);
}

type Point = readonly [x: number, y: number];

/** Returns the linear interpolation between the nearest points on both sides; null if one side has none. */
function between(points: readonly Point[], x: number): number | null {
  let [under, over]: [Point | null, Point | null] = [null, null];
  for (const point of points) {
    if (point[0] <= x && (under === null || point[0] > under[0])) under = point;
    if (point[0] >= x && (over === null || point[0] < over[0])) over = point;
  }
  if (under === null || over === null) return null;
  if (under[0] === over[0]) return under[1];
  return under[1] + ((over[1] - under[1]) * (x - under[0])) / (over[0] - under[0]);
}

/**
 * Returns the 30-day volatility: interpolated between the surrounding expiries, linear in variance x time; else that
 * of an expiry 14 to 60 days away. Null without one.
 * @see Cboe, "VIX White Paper" (2019), for the interpolation
 */
export function ivAt30Days(smiles: readonly Smile[], which: "atm" | "put" | "call"): number | null {
  const known = smiles.flatMap(({ days, [which]: iv }) => (iv === null ? [] : [{ days, iv }]));
  const under = known.findLast(({ days }) => days <= DAYS);
  const over = known.find(({ days }) => days > DAYS);
  if (under === undefined || over === undefined) {
    const one = under ?? over;
    return one !== undefined && one.days >= NEAREST && one.days <= FARTHEST ? one.iv : null;
  }
  const variance = between(
    [
      [under.days, under.iv ** 2 * under.days],
      [over.days, over.iv ** 2 * over.days],
    ],
    DAYS,
  );
  return Math.sqrt(variance! / DAYS);
}
