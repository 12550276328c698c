import type { Instrument, Quote } from "./market.ts";

/** State of the connection to a provider that streams prices. */
export interface QuoteStreamStatus {
  readonly provider: string;
  /** `idle`: no symbol is followed; `down`: several attempts in a row failed. */
  readonly state: "idle" | "connecting" | "open" | "down";
  /** Number of symbols subscribed. */
  readonly symbols: number;
  /** ISO 8601; null before the first message. */
  readonly last_message_at: string | null;
  /** Number of connections that failed or were lost since the start; each is followed by a new one. */
  readonly losses: number;
}

/** Prices as providers stream them. */
export interface QuoteStreams {
  /**
   * Calls back with each new price of an instrument while a provider streams it, until the returned function is called.
   * Without a stream nothing is called back; `Quotes` always returns the latest price. Errors of listeners do not reach
   * other listeners. A price is `unconfirmed_quote` unless it is near a price of the same provider and day that
   * `Quotes` has confirmed.
   */
  subscribe(instrument: Instrument, listener: (quote: Quote) => void): () => void;
  /** Returns the state of the connection to each provider that streams prices; omitted in markets without streams. */
  status?(): readonly QuoteStreamStatus[];
}
