import type { Listing } from "./listing.ts";
import { GAP_SHARE, type Shocks } from "./shocks.ts";

/** What a listing's moves are made of. */
export interface ShockSources {
  readonly market: Shocks;
  readonly group: Shocks | null;
  readonly own: Shocks;
}

/** What shocks make of one day, logarithmic. */
export interface Move {
  readonly night: number;
  readonly session: number;
  /** Spread of the part of the day that trades without a break. */
  readonly spread: number;
}

/** How much of a listing's own move is left where a structure is its own. */
const OWN = 0.5;
/** How far a planted slot's volatility is brought to its mean. */
const CALM = 0.35;
/** The most that a planted slot's mean day may spread. */
const MAX_MEAN_SPREAD = 0.028;

/**
 * The moves of the days [first, end). Where a structure is laid over them, their volatility is held near the slot's
 * mean, so that the structure has one measure, and their own part recedes, so that the structure shows.
 */
export function movesOf(
  { beta, load, instrument }: Listing,
  { market, group, own }: ShockSources,
  first: number,
  end: number,
  planted: boolean,
): readonly Move[] {
  const gaps = instrument.asset_class !== "crypto";
  const part = planted ? OWN : 1;
  const sum = (of: "gap" | "session", day: number) =>
    beta * market[of][day]! + (group === null ? 0 : load * group[of][day]!) + part * own[of][day]!;
  const spreads: number[] = [];
  for (let day = first; day < end; day++) {
    const ofMarket = beta * market.spread[day]!;
    const ofGroup = group === null ? 0 : load * group.spread[day]!;
    const ofOwn = part * own.spread[day]!;
    spreads.push(Math.sqrt(ofMarket * ofMarket + ofGroup * ofGroup + ofOwn * ofOwn));
  }
  const mean = spreads.reduce((all, spread) => all + spread, 0) / spreads.length;
  const moves: Move[] = [];
  for (let day = first; day < end; day++) {
    const spread = spreads[day - first]!;
    const scale = planted
      ? (Math.min(MAX_MEAN_SPREAD, mean) * (CALM + ((1 - CALM) * spread) / mean)) / spread
      : 1;
    moves.push({
      night: scale * sum("gap", day),
      session: scale * sum("session", day),
      spread: scale * (gaps ? spread * Math.sqrt(1 - GAP_SHARE) : spread),
    });
  }
  return moves;
}
