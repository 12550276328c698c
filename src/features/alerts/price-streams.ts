import type { WatchedSubscription } from "../../domain/alerts/alerts-port.ts";
import type { Instrument, Quote } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { checkPriceSubscription } from "./price-subscription.ts";
import { findListed } from "./symbols.ts";

/**
 * Minimum interval between two evaluations of a symbol that streamed prices cause, ms: a price that moves around a level
 * sends no more alerts than one that is requested every minute.
 */
const MIN_INTERVAL_MS = 60_000;

/** Streamed prices of the symbols with price alerts. */
export interface PriceStreams {
  /** Follows exactly these symbols, each with its subscriptions as they are stored now. */
  watch(watchers: ReadonlyMap<string, readonly WatchedSubscription[]>): void;
  /** Returns the prices that crossed a level since the last call, by symbol. */
  take(): ReadonlyMap<string, Quote>;
  close(): void;
}

interface PriceStreamsOptions extends Pick<Ports, "quoteStreams" | "symbols" | "clock" | "market"> {
  /** Called when a price crosses a level of a subscription. */
  readonly onCrossed: () => void;
}

export function createPriceStreams({
  quoteStreams,
  symbols,
  clock,
  market,
  onCrossed,
}: PriceStreamsOptions): PriceStreams {
  const followed = new Map<string, () => void>();
  const crossed = new Map<string, Quote>();
  const evaluatedAt = new Map<string, number>();
  let watched: ReadonlyMap<string, readonly WatchedSubscription[]> = new Map();

  function check(instrument: Instrument, quote: Quote): void {
    const { symbol } = instrument;
    // levels are in dollars; a requested price is converted
    if (quote.currency !== undefined && quote.currency !== "USD") return;
    const at = clock.now();
    const sinceLast = Math.abs(at.getTime() - (evaluatedAt.get(symbol) ?? Number.NEGATIVE_INFINITY));
    if (crossed.has(symbol) || sinceLast < MIN_INTERVAL_MS) return;
    const watchers = watched.get(symbol) ?? [];
    // a crossing is found with any price; the evaluation uses only a confirmed one
    const crossing = { at, market, quote: { ...quote, price_source: "live_quote" } } as const;
    if (watchers.every((one) => checkPriceSubscription(one, instrument, crossing) === null)) return;
    crossed.set(symbol, quote);
    evaluatedAt.set(symbol, at.getTime());
    onCrossed();
  }

  function unfollow(symbol: string): void {
    followed.get(symbol)?.();
    followed.delete(symbol);
    evaluatedAt.delete(symbol);
    crossed.delete(symbol);
  }

  return {
    watch(watchers) {
      watched = watchers;
      for (const symbol of [...followed.keys()]) if (!watchers.has(symbol)) unfollow(symbol);
      for (const symbol of watchers.keys()) {
        const found = followed.has(symbol) ? null : findListed(symbol, symbols);
        if (found !== null && "instrument" in found)
          followed.set(
            symbol,
            quoteStreams.subscribe(found.instrument, (quote) => check(found.instrument, quote)),
          );
      }
    },
    take() {
      const taken = new Map(crossed);
      crossed.clear();
      return taken;
    },
    close() {
      for (const symbol of [...followed.keys()]) unfollow(symbol);
    },
  };
}
