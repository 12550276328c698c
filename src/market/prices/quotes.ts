import { LRUCache } from "lru-cache";
import type { Instrument, Quote } from "../../domain/market/market.ts";
import type { CachedQuote } from "../../domain/market/market-cache-port.ts";
import type { Comparison, ProviderAttempt } from "../../domain/market/provenance.ts";
import type { Quotes } from "../../domain/ports.ts";
import { marketStateAt } from "../calendar/calendar.ts";
import { ChainFailure, type ChainResult, callInOrder } from "../failover/chain.ts";
import { noPriceError, noProviderError } from "../failover/provider-errors.ts";
import { createSingleFlight } from "../failover/single-flight.ts";
import type { PriceDeps } from "./provider-order.ts";
import type { QuoteHub } from "./quote-hub.ts";
import { priceFreshness, quoteAt, validateQuote } from "./validate-quote.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 86_400 * SECOND;
/**
 * Time for which a quote is cached, ms: while the market is open, the same for a delayed quote, and while it is closed.
 */
const CACHE_TTL_MS = { open: 5 * SECOND, lagging: 60 * SECOND, closed: 300 * SECOND } as const;
/** Time for which a comparison of two providers is cached, ms. */
const COMPARISON_TTL_MS = 60 * SECOND;
/** Time for which an unknown symbol is cached, ms. */
const UNKNOWN_MS = 60 * SECOND;
/** Maximum age of a stale quote that is returned if no provider responds, ms. */
const MAX_STALE_MS = DAY;
const MAX_ENTRIES = 5_000;

interface LiveQuotesOptions extends PriceDeps {
  /** Streamed prices, which take precedence while they are live. */
  readonly streams?: Pick<QuoteHub, "latest"> | null;
  /** Compares a quote with another provider's quote, for callers that request it. */
  readonly compare?: (
    instrument: Instrument,
    quote: CachedQuote,
    signal: AbortSignal,
  ) => Promise<Comparison | null>;
}

/**
 * Returns the latest price from live providers, which are called in order. Prices are cached for seconds; freshness is
 * determined on return. If no provider responds, the last known quote is returned as stale. Rejects with NO_PRICE if no
 * responding provider lists the symbol.
 */
export function liveQuotes({ chain, memory, clock, compare, streams }: LiveQuotesOptions): Quotes {
  const cache = new LRUCache<
    string,
    { readonly quote: CachedQuote; readonly tried: readonly ProviderAttempt[] }
  >({
    max: MAX_ENTRIES,
  });
  const unknown = new LRUCache<string, number>({ max: MAX_ENTRIES });
  const comparisons = new LRUCache<
    string,
    { readonly comparison: Comparison | null; readonly at: number; readonly source: string }
  >({ max: MAX_ENTRIES });
  const flight = createSingleFlight<ChainResult<CachedQuote>>();
  const comparing = createSingleFlight<{ readonly comparison: Comparison | null }>();
  const now = () => clock.now().getTime();

  const call = (instrument: Instrument, signal: AbortSignal): Promise<ChainResult<CachedQuote>> => {
    const providers = chain(instrument).filter(({ provider }) => provider.latest !== undefined);
    const assetClass = instrument.asset_class;
    // while the market is open, only a live price is complete; while it is closed, any price is
    const best = (quote: CachedQuote) =>
      marketStateAt(now(), assetClass) === "closed" ||
      priceFreshness(quote, { assetClass, now: now(), stale: false }) === "live_quote";
    return callInOrder(
      providers,
      async ({ provider, state }, stop) => {
        const response = await provider.latest!(instrument, { signal: stop });
        return validateQuote(response, provider, now(), state().skewMs ?? 0);
      },
      {
        signal,
        best,
        better: (quote, other) => quote.tradedAt > other.tradedAt,
        mayHelp: ({ provider }, { tradedAt }) => now() - tradedAt > provider.delayMinutes * MINUTE,
      },
    );
  };

  async function fresh(
    instrument: Instrument,
    signal: AbortSignal | undefined,
  ): Promise<ChainResult<CachedQuote>> {
    const { symbol } = instrument;
    const first = await flight(symbol, (stop) => call(instrument, stop), signal);
    if (cache.get(symbol)?.quote !== first.answer) {
      cache.set(symbol, { quote: first.answer, tried: first.tried });
      memory.saveQuote(symbol, first.answer);
    }
    return first;
  }

  async function lastKnown(instrument: Instrument, failure: ChainFailure): Promise<Quote> {
    const { symbol, asset_class: assetClass } = instrument;
    if (failure.unknown) {
      unknown.set(symbol, now());
      throw noPriceError(instrument);
    }
    const inMemory = cache.get(symbol)?.quote;
    const last = inMemory ?? (await memory.quote(symbol));
    const age = last === null ? Number.POSITIVE_INFINITY : now() - last.fetchedAt;
    if (last === null || age > MAX_STALE_MS || age < -MINUTE)
      throw noProviderError(instrument, failure.tried);
    return quoteAt(last, {
      assetClass,
      now: now(),
      stale: true,
      kept: inMemory === undefined ? "store" : "memory",
      tried: failure.tried,
    });
  }

  /** Returns the comparison with a second provider, cached for a minute. */
  async function compared(instrument: Instrument, quote: CachedQuote, signal?: AbortSignal) {
    const before = comparisons.get(instrument.symbol);
    if (
      before !== undefined &&
      before.source === quote.source &&
      Math.abs(now() - before.at) < COMPARISON_TTL_MS
    )
      return before.comparison;
    const found = await comparing(
      instrument.symbol,
      async (stop) => ({ comparison: (await compare?.(instrument, quote, stop)) ?? null }),
      signal,
    );
    comparisons.set(instrument.symbol, { ...found, at: now(), source: quote.source });
    return found.comparison;
  }

  return {
    async latest(instrument, { signal, verify = false } = {}) {
      signal?.throwIfAborted();
      const { symbol, asset_class: assetClass } = instrument;
      const cached = cache.get(symbol);
      const respond = async (
        quote: CachedQuote,
        tried: readonly ProviderAttempt[],
        from: "asked" | "memory" | "stream",
      ): Promise<Quote> => {
        const answer = quoteAt(quote, { assetClass, now: now(), stale: false, kept: from, tried });
        if (!verify || compare === undefined || answer.origin === undefined) return answer;
        const comparison = await compared(instrument, quote, signal);
        return comparison === null ? answer : { ...answer, origin: { ...answer.origin, comparison } };
      };
      const streamed = streams?.latest(instrument, cached?.quote) ?? null;
      if (streamed !== null) return respond(streamed, [], "stream");
      if (cached !== undefined && isFresh(cached.quote, assetClass, now()))
        return respond(cached.quote, cached.tried, "memory");
      const since = unknown.get(symbol);
      if (since !== undefined && Math.abs(now() - since) < UNKNOWN_MS) throw noPriceError(instrument);
      try {
        const { answer, tried } = await fresh(instrument, signal);
        return await respond(answer, tried, "asked");
      } catch (cause) {
        if (cause instanceof ChainFailure) return lastKnown(instrument, cause);
        throw cause;
      }
    },
  };
}

function isFresh(
  { fetchedAt, delayMinutes }: CachedQuote,
  assetClass: Instrument["asset_class"],
  now: number,
): boolean {
  const state = marketStateAt(now, assetClass);
  if (state !== marketStateAt(fetchedAt, assetClass)) return false;
  const ttl =
    state === "closed" ? CACHE_TTL_MS.closed : delayMinutes > 0 ? CACHE_TTL_MS.lagging : CACHE_TTL_MS.open;
  // nothing is fresh if the clock was set back
  return now - fetchedAt < ttl && now >= fetchedAt;
}
