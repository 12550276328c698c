import type { AssetClass } from "../../domain/market/market.ts";
import { pricePlaces } from "../../lib/price-places.ts";

/** The possible prices of a close: integer multiples of one tick. */
export interface Ticks {
  readonly tick: number;
  /** Returns the price at a tick index. */
  priceOf(place: number): number;
  /** Returns the tick index of a price; an integer if the price is on a tick. */
  tickIndexOf(price: number): number;
}

/** Returns the ticks around a price: those of an order, see `pricePlaces`. */
export function ticksAt(price: number, assetClass: AssetClass): Ticks {
  const places = 10 ** pricePlaces(price, assetClass);
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
