import { exp, keyOf, normal } from "./draws.ts";
import type { Listing } from "./listing.ts";

/** Share of a day's variance that occurs in the overnight gap. */
export const GAP_SHARE = 0.35;

export const AUTOCORRELATION = 0.97;
export const VOL_OF_VOL = 0.58;
const NOVELTY = VOL_OF_VOL * Math.sqrt(1 - AUTOCORRELATION * AUTOCORRELATION);
const GAP = Math.sqrt(GAP_SHARE);
const SESSION = Math.sqrt(1 - GAP_SHARE);

/** Daily moves of one origin (the market, a sector, or one symbol), in columns by day. */
export interface Shocks {
  /** Logarithmic move between the previous close and the open. */
  readonly gap: readonly number[];
  /** Logarithmic move between open and close. */
  readonly session: readonly number[];
  /** Spread of the complete day's move. */
  readonly spread: readonly number[];
  /** Creates missing days until the first `days` days exist. */
  reach(days: number): void;
}

/**
 * Creates moves with changing volatility: log-volatility is AR(1), so that calm and volatile
 * days form clusters. `yearly` is the spread of 252 sessions.
 * @see Taylor, "Modelling Financial Time Series" (1986), ch. 3
 */
export function shocks(key: number, yearly: number, sessions: number): Shocks {
  const daily = yearly / Math.sqrt(sessions);
  const ofGap = keyOf(key, "gap");
  const ofSession = keyOf(key, "session");
  const ofMood = keyOf(key, "mood");
  const gap: number[] = [];
  const session: number[] = [];
  const spread: number[] = [];
  let mood = 0;
  return {
    gap,
    session,
    spread,
    reach(days) {
      for (let day = gap.length; day < days; day++) {
        mood = AUTOCORRELATION * mood + NOVELTY * normal(ofMood, day);
        // E[exp(2 mood)] = exp(2 VOL_OF_VOL^2), divided out so that the yearly spread is `yearly`
        const now = daily * exp(mood - VOL_OF_VOL * VOL_OF_VOL);
        spread.push(now);
        gap.push(now * GAP * normal(ofGap, day));
        session.push(now * SESSION * normal(ofSession, day));
      }
    },
  };
}

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
export const PLANTED_OWN_SHARE = 0.5;
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
  const sessionShare = instrument.asset_class === "crypto" ? 1 : Math.sqrt(1 - GAP_SHARE);
  const part = planted ? PLANTED_OWN_SHARE : 1;
  const sum = (of: "gap" | "session", day: number) =>
    beta * market[of][day]! + (group === null ? 0 : load * group[of][day]!) + part * own[of][day]!;
  const spreads: number[] = [];
  let total = 0;
  for (let day = first; day < end; day++) {
    const ofMarket = beta * market.spread[day]!;
    const ofGroup = group === null ? 0 : load * group.spread[day]!;
    const ofOwn = part * own.spread[day]!;
    const spread = Math.sqrt(ofMarket * ofMarket + ofGroup * ofGroup + ofOwn * ofOwn);
    spreads.push(spread);
    total += spread;
  }
  const mean = total / spreads.length;
  return spreads.map((spread, i) => {
    const even =
      Math.min(MAX_MEAN_SPREAD, mean) * (MEAN_VOL_WEIGHT + ((1 - MEAN_VOL_WEIGHT) * spread) / mean);
    const scale = planted ? even / spread : 1;
    return {
      night: scale * sum("gap", first + i),
      session: scale * sum("session", first + i),
      spread: scale * (spread * sessionShare),
    };
  });
}
