import type { Listing } from "./listing.ts";
import { GAP_SHARE, type Shocks } from "./shocks.ts";

/** The components of a listing's moves. */
export interface ShockSources {
  readonly market: Shocks;
  readonly group: Shocks | null;
  readonly own: Shocks;
}

/** Moves of one day, logarithmic. */
export interface Move {
  readonly night: number;
  readonly session: number;
  /** Spread of the move from open to close. */
  readonly spread: number;
}

/** Share of a listing's own moves that remains in a planted slot. */
const PLANTED_OWN_SHARE = 0.5;
/** Weight of the slot's mean in the volatility of a planted slot. */
const MEAN_VOL_WEIGHT = 0.35;
/** Maximum mean spread of the days of a planted slot. */
const MAX_MEAN_SPREAD = 0.028;

/**
 * Computes the moves of the days [first, end). Under a planted structure, volatility stays near the slot's mean, so
 * that the structure has a uniform scale, and the listing's own part is damped, so that the structure is visible.
 */
export function movesOf(
  { beta, load, instrument }: Listing,
  { market, group, own }: ShockSources,
  first: number,
  end: number,
  planted: boolean,
): readonly Move[] {
  const gaps = instrument.asset_class !== "crypto";
  const part = planted ? PLANTED_OWN_SHARE : 1;
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
      ? (Math.min(MAX_MEAN_SPREAD, mean) * (MEAN_VOL_WEIGHT + ((1 - MEAN_VOL_WEIGHT) * spread) / mean)) /
        spread
      : 1;
    moves.push({
      night: scale * sum("gap", day),
      session: scale * sum("session", day),
      spread: scale * (gaps ? spread * Math.sqrt(1 - GAP_SHARE) : spread),
    });
  }
  return moves;
}
