import type { PriceSource, Quote } from "../../src/domain/market/market.ts";
import type { QuoteStreams } from "../../src/domain/market/quote-streams-port.ts";
import type { Quotes } from "../../src/domain/ports.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { originOf, quote } from "./market.ts";

/** Prices that the test sets, and streams that the test feeds. */
export function streamedPrices(prices: Record<string, number>) {
  const listeners = new Map<string, Set<(quote: Quote) => void>>();
  const failing = new Map<string, ToolError>();
  const streamed = new Set<string>();
  const reads: string[] = [];
  /** Sources of the prices of streams and of `latest`. */
  const labels: { streamed: PriceSource; latest: PriceSource } = {
    streamed: "live_quote",
    latest: "live_quote",
  };
  let tick = 0;
  const times = new Map<string, string>();
  const quoteOf = (symbol: string): Quote =>
    quote({
      price: prices[symbol]!,
      timestamp: times.get(symbol) ?? "2026-01-15T14:50:00.000Z",
      ...(streamed.has(symbol) && { source: "streamer", origin: originOf({ served_from: "stream" }) }),
    });
  const quotes: Quotes = {
    async latest({ symbol }) {
      reads.push(symbol);
      const failure = failing.get(symbol);
      if (failure !== undefined) throw failure;
      if (prices[symbol] === undefined) throw new ToolError("NO_PRICE", `No price of ${symbol}`);
      return { ...quoteOf(symbol), price_source: labels.latest };
    },
  };
  const quoteStreams: QuoteStreams = {
    subscribe({ symbol }, listener) {
      const those = listeners.get(symbol) ?? new Set();
      listeners.set(symbol, those.add(listener));
      return () => {
        those.delete(listener);
        if (those.size === 0) listeners.delete(symbol);
      };
    },
  };
  const set = (symbol: string, price: number, timestamp?: string) => {
    prices[symbol] = price;
    times.set(symbol, timestamp ?? new Date(Date.UTC(2026, 0, 15, 14, 50, ++tick)).toISOString());
  };
  return {
    quotes,
    quoteStreams,
    failing,
    reads,
    labels,
    /** Symbols with listeners. */
    followed: () => [...listeners.keys()].sort(),
    /** Sets the price of a symbol without telling the listeners. */
    set,
    /** Sets the price of a symbol and sends it to the listeners. */
    send(symbol: string, price: number, timestamp?: string) {
      set(symbol, price, timestamp);
      streamed.add(symbol);
      for (const listener of [...(listeners.get(symbol) ?? [])])
        listener({ ...quoteOf(symbol), price_source: labels.streamed });
    },
  };
}
