import { z } from "zod";
import type { QuoteStreamProvider } from "../../domain/providers/quote-stream.ts";
import { tokenTicker } from "../shared/exchange.ts";
import { DecimalText, EpochMs, PriceText, PriceTextOrNull } from "../shared/fields.ts";
import { orNull, parseMessage, type StreamSetup, streamUrl, tokenQuote } from "../shared/stream.ts";

/** Host that serves only market data, without a key. */
const BASE_URL = "wss://data-stream.binance.vision";
/** Streams per symbol: the trades, and the statistics of 24 hours, which have no time of a trade. */
const STREAMS = ["aggTrade", "ticker"];

const Message = z.object({
  data: z.discriminatedUnion("e", [
    z.object({ e: z.literal("aggTrade"), s: z.string(), p: PriceText, T: EpochMs }),
    z.object({
      e: z.literal("24hrTicker"),
      s: z.string(),
      o: PriceTextOrNull,
      h: PriceTextOrNull,
      l: PriceTextOrNull,
      v: DecimalText,
    }),
    z.object({ e: z.literal("serverShutdown") }),
  ]),
});
interface Statistics {
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly volume: number | null;
}
const NO_STATISTICS: Statistics = { open: null, high: null, low: null, volume: null };

/**
 * Creates the stream of Binance's spot market: every trade of a token in USDT, treated as dollars, without a key. An
 * unknown symbol is accepted, but has no trades.
 * @see https://developers.binance.com/docs/binance-spot-api-docs/web-socket-streams
 */
export const binanceStream = (setup: StreamSetup): QuoteStreamProvider => ({
  name: "binance",
  serves: new Set(["crypto"]),
  delayMinutes: 0,
  liveWithinMs: 120_000,
  url: streamUrl(setup, BASE_URL, "/stream"),
  // a connection may have 1,024 streams
  maxSymbols: 200,
  // the statistics of each symbol arrive every second
  silenceMs: 10_000,
  symbolOf: (instrument) => orNull(instrument, (one) => `${tokenTicker(one, ["USDT"])}USDT`),
  subscribe: (symbols) => [request("SUBSCRIBE", 1, symbols)],
  unsubscribe: (symbols) => [request("UNSUBSCRIBE", 2, symbols)],
  probe: JSON.stringify({ method: "LIST_SUBSCRIPTIONS", id: 3 }),
  createParser() {
    const statistics = new Map<string, Statistics>();
    return (text) => {
      const data = parseMessage(Message, text)?.data;
      if (data === undefined) return [];
      if (data.e === "serverShutdown") return [{ kind: "closing", reason: "down" }];
      if (data.e === "24hrTicker") {
        statistics.set(data.s, { open: data.o, high: data.h, low: data.l, volume: data.v });
        return [];
      }
      const { open, high, low, volume } = statistics.get(data.s) ?? NO_STATISTICS;
      const trade = { price: data.p, tradedAt: data.T, open, high, low, volume };
      return [{ kind: "quote", symbol: data.s, quote: tokenQuote(trade, "BINANCE") }];
    };
  },
});

const request = (method: string, id: number, symbols: readonly string[]): string =>
  JSON.stringify({
    method,
    params: symbols.flatMap((symbol) => STREAMS.map((stream) => `${symbol.toLowerCase()}@${stream}`)),
    id,
  });
