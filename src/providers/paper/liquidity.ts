import { Big } from "./amount.ts";

/** Maximum share of a bar's volume that the orders of one account can fill. */
export const MAX_VOLUME_SHARE = 0.1;

const MIN_HALF_SPREAD_BPS = 0.5;
const MAX_HALF_SPREAD_BPS = 100;
const HALF_SPREAD_AT_MILLION_BPS = 40;
const HALF_TICK = 0.005;
const IMPACT_BPS = 50;

export interface Liquidity {
  /** US dollars traded on an ordinary day; null if unknown. */
  readonly dayDollars: number | null;
  readonly crypto: boolean;
  /**
   * If true, there is no spread, impact, volume limit or fee, and the complete order is filled at the price of the
   * step.
   */
  readonly frictionless?: true;
}

/**
 * Returns half the spread in basis points of the price: 1 + 40 x sqrt(1,000,000 / dollars per day), at
 * least half a cent for stocks, whose prices are in cents; between 0.5 and 100. Examples: 41 at a million
 * dollars a day, 5 at a hundred million, 1.4 at ten billion; 100 for an unknown volume.
 */
export function halfSpreadBps(price: number, { dayDollars, crypto }: Liquidity): number {
  if (dayDollars === null || !(dayDollars > 0)) return MAX_HALF_SPREAD_BPS;
  const tick = crypto ? 0 : (10_000 * HALF_TICK) / price;
  const wide = Math.max(1 + HALF_SPREAD_AT_MILLION_BPS * Math.sqrt(1e6 / dayDollars), tick);
  return Math.min(MAX_HALF_SPREAD_BPS, Math.max(MIN_HALF_SPREAD_BPS, wide));
}

/**
 * Returns the price impact of a fill beyond the spread, in basis points: 50 x sqrt(share of the bar's volume), which
 * gives 16 at the maximum share.
 * @see Almgren, Thum, Hauptmann, Li, "Direct Estimation of Equity Market Impact" (2005), for a root of the share
 */
export const impactBps = (share: number): number => IMPACT_BPS * Math.sqrt(Math.max(0, Math.min(1, share)));

/** Converts basis points to a fraction, rounded to a millionth of a basis point. */
export const bpsToFraction = (bps: number): Big => new Big(bps.toFixed(6)).div(10_000);
