import type { Instrument } from "../market/market.ts";
import type { PriceProvider, ProviderQuote } from "./price-provider.ts";

/**
 * Meaning of a provider's message. `ready`: symbols may be subscribed; `quote`: a price, with the provider's name of the
 * symbol; `withdrawn`: the last price of a symbol was cancelled; `refused`: the provider does not stream a symbol;
 * `full`: the last subscription exceeds the provider's limit and was rejected as a whole; `closing`: the connection is
 * of no further use.
 */
export type StreamEvent =
  | { readonly kind: "ready" }
  | { readonly kind: "quote"; readonly symbol: string; readonly quote: ProviderQuote }
  | { readonly kind: "withdrawn"; readonly symbol: string }
  | { readonly kind: "refused"; readonly symbol: string }
  | { readonly kind: "full" }
  | { readonly kind: "closing"; readonly reason: StreamFailure };

/**
 * Reason why a stream ends. `rejected`: the key is wrong, lacks the permission, or another connection uses it; `down`:
 * the provider ended it or cannot be reached; `silent`: no message arrived.
 */
export type StreamFailure = "rejected" | "down" | "silent";

/** Returns the events of a message; none for anything unreadable. */
export type StreamParser = (message: string) => readonly StreamEvent[];

/** The messages of a provider that streams prices. The connection is opened elsewhere. */
export interface QuoteStreamProvider
  extends Pick<PriceProvider, "name" | "serves" | "delayMinutes" | "liveWithinMs"> {
  readonly url: string;
  /** Maximum number of symbols of its only connection. */
  readonly maxSymbols: number;
  /** Time without any message after which the connection is probed, and after twice which it is replaced, ms. */
  readonly silenceMs: number;
  /** Messages sent when the connection opens, such as the key. Symbols are subscribed after a `ready` event then. */
  readonly greeting?: readonly string[];
  /** Returns the provider's name of an instrument; null if it is not streamed. */
  symbolOf(instrument: Instrument): string | null;
  /** Returns the messages that subscribe to symbols. */
  subscribe(symbols: readonly string[]): readonly string[];
  unsubscribe(symbols: readonly string[]): readonly string[];
  /** Message that the provider always answers. Default: none, because it sends heartbeats. */
  readonly probe?: string;
  /** Creates the parser of one connection. */
  createParser(): StreamParser;
}
