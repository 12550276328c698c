import type { CallOptions } from "../call-options.ts";
import type { Instrument } from "../market/market.ts";
import type { OffExchangeAnswer, OffExchangeDay, OffExchangeWeek, PriceVolume } from "./off-exchange.ts";

/** Period of publication, from `from` to `until`, epoch ms. */
export interface KnownWithin extends CallOptions {
  readonly from: number;
  readonly until: number;
}

/**
 * Volume reported off exchange, with short sales listed separately. Without coverage the list is empty and `gap` has
 * the reason. Each method returns null if no provider is connected, and rejects on failure.
 */
export interface OffExchange {
  /** Returns daily volume, published in the evening. */
  days(instrument: Instrument, range: KnownWithin): Promise<OffExchangeAnswer<OffExchangeDay> | null>;
  /** Returns weekly volume by kind of venue, published some weeks later. */
  weeks(instrument: Instrument, range: KnownWithin): Promise<OffExchangeAnswer<OffExchangeWeek> | null>;
  /** Returns the volume of the newest day by price, highest price first. */
  byPrice(instrument: Instrument, options: KnownWithin): Promise<OffExchangeAnswer<PriceVolume> | null>;
  /** Setting that connects a provider of each; null if one is connected. */
  readonly missing: Readonly<Record<"days" | "weeks" | "byPrice", string | null>>;
}
