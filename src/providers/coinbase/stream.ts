import { z } from "zod";
import type { QuoteStreamProvider, StreamEvent } from "../../domain/providers/quote-stream.ts";
import { tokenTicker } from "../shared/exchange.ts";
import { DecimalText, Instant, PriceText, PriceTextOrNull } from "../shared/fields.ts";
import { orNull, parseMessage, type StreamSetup, streamUrl, tokenQuote } from "../shared/stream.ts";
import { PROVIDER_TICKERS } from "./prices.ts";

const BASE_URL = "wss://ws-feed.exchange.coinbase.com";
const CHANNELS = ["ticker", "heartbeat"];

const Message = z.discriminatedUnion("type", [
  /** The last trade. The first message of a product may lack its time. */
  z.object({
    type: z.literal("ticker"),
    product_id: z.string(),
    price: PriceText,
    time: Instant,
    open_24h: PriceTextOrNull.nullish().catch(null),
    high_24h: PriceTextOrNull.nullish().catch(null),
    low_24h: PriceTextOrNull.nullish().catch(null),
    volume_24h: DecimalText.nullish().catch(null),
  }),
  /** `reason` names the rejected product: `FOO-USD is not a valid product`. */
  z.object({ type: z.literal("error"), reason: z.string().nullish() }),
]);

/**
 * Creates the stream of Coinbase Exchange: every trade of a token in US dollars, without a key. Each product is
 * subscribed by a message of its own, because an unknown product fails the whole message.
 * @see https://docs.cdp.coinbase.com/exchange/websocket-feed/channels
 */
export const coinbaseStream = (setup: StreamSetup): QuoteStreamProvider => ({
  name: "coinbase",
  serves: new Set(["crypto"]),
  delayMinutes: 0,
  liveWithinMs: 120_000,
  url: streamUrl(setup, BASE_URL, ""),
  // a client may send 100 messages a second
  maxSymbols: 50,
  // there is a heartbeat of each product every second
  silenceMs: 10_000,
  symbolOf: (instrument) =>
    orNull(instrument, (one) => {
      const ticker = tokenTicker(one, ["USD", ...PROVIDER_TICKERS.values()]);
      return `${PROVIDER_TICKERS.get(ticker) ?? ticker}-USD`;
    }),
  subscribe: (products) => products.map((product) => request("subscribe", [product])),
  unsubscribe: (products) => [request("unsubscribe", products)],
  createParser: () => (text) => {
    const message = parseMessage(Message, text);
    if (message === undefined) return [];
    return message.type === "ticker" ? [quoteEvent(message)] : refusals(message.reason ?? "");
  },
});

const request = (type: string, product_ids: readonly string[]): string =>
  JSON.stringify({ type, product_ids, channels: CHANNELS });

function quoteEvent(ticker: Extract<z.infer<typeof Message>, { type: "ticker" }>): StreamEvent {
  const { product_id, price, time, open_24h, high_24h, low_24h, volume_24h } = ticker;
  const quote = tokenQuote(
    {
      price,
      tradedAt: time,
      open: open_24h ?? null,
      high: high_24h ?? null,
      low: low_24h ?? null,
      volume: volume_24h ?? null,
    },
    "COINBASE",
  );
  return { kind: "quote", symbol: product_id, quote };
}

const refusals = (reason: string): readonly StreamEvent[] => {
  const [product] = /[A-Z0-9]{1,15}-USD\b/.exec(reason) ?? [];
  return product === undefined ? [] : [{ kind: "refused", symbol: product }];
};
