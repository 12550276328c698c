import type { Instrument } from "../../domain/market/market.ts";
import { ProviderFailure, type ProviderQuote } from "../../domain/providers/price-provider.ts";
import { tryParseMessage } from "./http-client.ts";

export interface StreamSetup {
  /** Replaces the provider's base URL, for example with a local replay server; http becomes ws. */
  readonly baseUrl?: string | undefined;
}

/** Returns the URL of a path below the base URL of a stream. */
export const streamUrl = ({ baseUrl }: StreamSetup, standard: string, path: string): string =>
  `${(baseUrl ?? standard).replace(/\/+$/, "").replace(/^http/, "ws")}${path}`;

/** Returns the symbol that `symbolOf` returns; null for an instrument that it does not support. */
export function orNull(instrument: Instrument, symbolOf: (instrument: Instrument) => string): string | null {
  try {
    return symbolOf(instrument);
  } catch (cause) {
    if (cause instanceof ProviderFailure) return null;
    throw cause;
  }
}

/** Parses a message with the first schema that fits; undefined for any other text. */
export const parseMessage = <T>(
  schema: { safeParse(value: unknown): { readonly data?: T | undefined } },
  message: string,
): T | undefined => schema.safeParse(tryParseMessage(message)).data;

/** The last trade of a token with the statistics of the 24 hours before it. */
interface TokenTrade {
  readonly price: number;
  /** Epoch ms. */
  readonly tradedAt: number;
  /** Price 24 hours ago. */
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly volume: number | null;
}

/** Returns the quote of a token on one exchange; a 24-hour range that lacks the price is widened by it. */
export const tokenQuote = (
  { price, tradedAt, open, high, low, volume }: TokenTrade,
  venue: string,
): ProviderQuote => ({
  price,
  tradedAt,
  previousClose: open,
  open,
  high: high === null ? null : Math.max(high, price),
  low: low === null ? null : Math.min(low, price),
  volume,
  volumeScope: "one_venue",
  venue,
});
