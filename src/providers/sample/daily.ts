import { draw, exp, keyOf, lnUnit, normal } from "./draws.ts";
import type { Listing } from "./listing.ts";
import { GAP_SHARE, type Shocks } from "./shocks.ts";

/** The first day of the simulated market; days count from it. */
export const EPOCH = Date.UTC(2017, 0, 1);
export const DAY_MS = 86_400_000;

/** Sessions by which a path grows; whatever is laid over a stretch of the path is laid over one slot. */
const SLOT_DAYS = 150;

const LEVEL_DAY = (Date.UTC(2026, 0, 1) - EPOCH) / DAY_MS;
const DRIFT = 0.04 / 365;
const PULL = 0.002;
/** Coins trade in 64ths: binary fractions, so that volumes add up exactly in any order. */
const COIN_PARTS = 64;

/** A whole day in integer units: price in 1/scale dollars, volume in 1/parts shares or coins. */
export interface Candle {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** Spread of the move from open to close, in price units. */
  readonly spread: number;
}

/** The days of one listing. Any day from 0 on may be asked for; the answer never changes. */
interface DailyPath {
  readonly candle: (day: number) => Candle;
  /** Volume units in a share or coin. */
  readonly parts: number;
}

/** What a listing's moves are made of. */
interface Sources {
  readonly market: Shocks;
  readonly group: Shocks | null;
  readonly own: Shocks;
}

/** Logarithmic distance of the slow trend from the listed price. */
const trend = (day: number) => DRIFT * (day - LEVEL_DAY);

/**
 * Draws the days of a listing: market, group and own moves around a slow trend that pulls weakly,
 * with the extremes that a Brownian path between open and close would reach.
 * The path is kept and only ever appended to.
 * @see Beaglehole, Dybvig and Zhou, "Going to Extremes" (1997), for the extremes of a bridge
 */
export function dailyPath(listing: Listing, { market, group, own }: Sources, key: number): DailyPath {
  const { beta, load, price, scale } = listing;
  const gaps = listing.instrument.asset_class !== "crypto";
  const parts = gaps ? 1 : COIN_PARTS;
  const ofHigh = keyOf(key, "high");
  const ofLow = keyOf(key, "low");
  const ofVolume = keyOf(key, "volume");
  const opens: number[] = [];
  const closes: number[] = [];
  const spreads: number[] = [];
  let before = trend(-1);

  function growBySlot(): void {
    const end = closes.length + SLOT_DAYS;
    for (const source of [market, group, own]) source?.reach(end);
    for (let day = closes.length; day < end; day++) {
      const night = beta * market.gap[day]! + (group === null ? 0 : load * group.gap[day]!) + own.gap[day]!;
      const session =
        beta * market.session[day]! + (group === null ? 0 : load * group.session[day]!) + own.session[day]!;
      const ofMarket = beta * market.spread[day]!;
      const ofGroup = group === null ? 0 : load * group.spread[day]!;
      const variance = ofMarket * ofMarket + ofGroup * ofGroup + own.spread[day]! * own.spread[day]!;
      const open = gaps ? before + night : before;
      opens.push(open);
      before = open + session + (gaps ? 0 : night) + DRIFT + PULL * (trend(day - 1) - before);
      closes.push(before);
      spreads.push(Math.sqrt(gaps ? variance * (1 - GAP_SHARE) : variance));
    }
  }

  const units = (log: number) => Math.max(1, Math.round(price * scale * exp(log)));

  function candle(day: number): Candle {
    while (closes.length <= day) growBySlot();
    const start = opens[day]!;
    const move = closes[day]! - start;
    const spread = spreads[day]!;
    const reach = (bits: number) => Math.sqrt(move * move - 2 * spread * spread * lnUnit(bits));
    const open = units(start);
    const close = units(start + move);
    const high = Math.max(open, close, units(start + (move + reach(draw(ofHigh, day))) / 2));
    const low = Math.min(open, close, units(start + (move - reach(draw(ofLow, day))) / 2));
    const bustle = 0.3 * normal(ofVolume, day) + 0.35 * (Math.min(4, Math.abs(move) / spread) - 0.8);
    const volume = Math.round(listing.volume * parts * exp(bustle));
    return { open, high, low, close, volume, spread: spread * open };
  }
  return { candle, parts };
}
