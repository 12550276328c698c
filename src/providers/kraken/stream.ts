import { z } from "zod";
import type { QuoteStreamProvider, StreamEvent } from "../../domain/providers/quote-stream.ts";
import { tokenTicker } from "../shared/exchange.ts";
import { CountOrNull, Instant, Price, PriceOrNull } from "../shared/fields.ts";
import { orNull, parseMessage, type StreamSetup, streamUrl, tokenQuote } from "../shared/stream.ts";

const BASE_URL = "wss://ws.kraken.com";
/** Tickers that mean a different token at Kraken; unlike its REST API, the stream calls bitcoin BTC. */
const PROVIDER_TICKERS: ReadonlyMap<string, string> = new Map([
  ["LUNA", "LUNA2"],
  ["LUNC", "LUNA"],
]);

const Ticker = z.object({
  symbol: z.string(),
  last: Price,
  /** Time of the trade that caused the update. */
  timestamp: Instant,
  high: PriceOrNull,
  low: PriceOrNull,
  volume: CountOrNull,
  /** Change of the price within 24 hours. */
  change: z.number().nullish(),
});
const Message = z.union([
  // a snapshot has the time of its computation, not that of the trade
  z.object({ channel: z.literal("ticker"), type: z.literal("update"), data: z.array(z.unknown()) }),
  z.object({ method: z.literal("subscribe"), success: z.literal(false), symbol: z.string() }),
]);

/**
 * Creates the stream of Kraken's spot market: every trade of a token in US dollars, without a key.
 * @see https://docs.kraken.com/exchange/api-reference/spot-websocket-v2/ticker
 */
export const krakenStream = (setup: StreamSetup): QuoteStreamProvider => ({
  name: "kraken",
  serves: new Set(["crypto"]),
  delayMinutes: 0,
  liveWithinMs: 120_000,
  url: streamUrl(setup, BASE_URL, "/v2"),
  maxSymbols: 100,
  // there is a heartbeat every second without other messages
  silenceMs: 10_000,
  symbolOf: (instrument) =>
    orNull(instrument, (one) => {
      const ticker = tokenTicker(one, ["USD"]);
      return `${PROVIDER_TICKERS.get(ticker) ?? ticker}/USD`;
    }),
  subscribe: (symbols) => [request("subscribe", symbols)],
  unsubscribe: (symbols) => [request("unsubscribe", symbols)],
  probe: JSON.stringify({ method: "ping" }),
  createParser: () => (text) => {
    const message = parseMessage(Message, text);
    if (message === undefined) return [];
    if ("method" in message) return [{ kind: "refused", symbol: message.symbol }];
    return message.data.flatMap((row) => quoteEvent(Ticker.safeParse(row).data));
  },
});

const request = (method: string, symbol: readonly string[]): string =>
  JSON.stringify({ method, params: { channel: "ticker", symbol, event_trigger: "trades" } });

function quoteEvent(ticker: z.infer<typeof Ticker> | undefined): readonly StreamEvent[] {
  if (ticker === undefined) return [];
  const { symbol, last: price, timestamp: tradedAt, high, low, volume, change } = ticker;
  const before = change == null ? null : Number((price - change).toPrecision(12));
  const open = before !== null && before > 0 ? before : null;
  return [
    { kind: "quote", symbol, quote: tokenQuote({ price, tradedAt, open, high, low, volume }, "KRAKEN") },
  ];
}
