import type { AssetClass } from "../../domain/market/market.ts";

/** The prices a close may take: whole multiples of one tick. */
export interface Ticks {
  readonly tick: number;
  /** The price of a place, the double nearest to its decimals. */
  priceOf(place: number): number;
  /** Tick index of a price; a whole number if the price is on a tick. */
  placeOf(price: number): number;
}

const DIGITS = 4;
const CENTS = 2;

/**
 * Ticks around a price: a ten-thousandth of its own power of ten, but a cent where that is less than one, and for stocks
 * and funds from 1 upwards.
 */
export function ticksAt(price: number, assetClass: AssetClass): Ticks {
  const fine = DIGITS - Math.floor(Math.log10(price));
  const decimals = price >= 1 && assetClass !== "crypto" ? CENTS : Math.max(CENTS, fine);
  const places = 10 ** decimals;
  return {
    tick: 1 / places,
    priceOf: (place) => place / places,
    placeOf(price) {
      const exact = price * places;
      const whole = Math.round(exact);
      return whole / places === price ? whole : exact;
    },
  };
}
