import type { AssetClass } from "../../domain/market/market.ts";

/** The possible prices of a close: integer multiples of one tick. */
export interface Ticks {
  readonly tick: number;
  /** Returns the price at a tick index. */
  priceOf(place: number): number;
  /** Returns the tick index of a price; an integer if the price is on a tick. */
  tickIndexOf(price: number): number;
}

const DIGITS = 4;
const CENTS = 2;

/**
 * Returns the ticks around a price: 1/10,000 of its power of ten but at most a cent; a cent for stocks and funds from
 * 1 upwards.
 */
export function ticksAt(price: number, assetClass: AssetClass): Ticks {
  const fine = DIGITS - Math.floor(Math.log10(price));
  const decimals = price >= 1 && assetClass !== "crypto" ? CENTS : Math.max(CENTS, fine);
  const places = 10 ** decimals;
  return {
    tick: 1 / places,
    priceOf: (place) => place / places,
    tickIndexOf(price) {
      const exact = price * places;
      const rounded = Math.round(exact);
      return rounded / places === price ? rounded : exact;
    },
  };
}
