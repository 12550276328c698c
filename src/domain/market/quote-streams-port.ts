import type { Instrument, Quote } from "./market.ts";

/** Prices as providers stream them. */
export interface QuoteStreams {
  /**
   * Calls back with each new price of an instrument while a provider streams it, until the returned function is called.
   * Without a stream nothing is called back; `Quotes` always returns the latest price. Errors of listeners do not reach
   * other listeners. A price that no confirmed price of its provider and day is near to is `unconfirmed_quote` until
   * `Quotes` has checked it.
   */
  subscribe(instrument: Instrument, listener: (quote: Quote) => void): () => void;
}
