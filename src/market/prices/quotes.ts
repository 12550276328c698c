import { LRUCache } from "lru-cache";
import type { Instrument, Quote } from "../../domain/market/market.ts";
import type { CachedQuote, MarketCache } from "../../domain/market/market-cache-port.ts";
import type { Comparison, ProviderAttempt } from "../../domain/market/provenance.ts";
import type { Clock, Quotes } from "../../domain/ports.ts";
import { marketStateAt } from "../calendar/calendar.ts";
import { ChainFailure, callInOrder, type FirstAnswer } from "../failover/chain.ts";
import type { Guarded } from "../failover/guard.ts";
import { noPriceError, noProviderError } from "../failover/provider-errors.ts";
import { createSingleFlight } from "../failover/single-flight.ts";
import { priceFreshness, quoteAt, validateQuote } from "./validate-quote.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 86_400 * SECOND;
/** How long a quote is told again without asking: while its market is open, of a source that lags, and while it is closed. */
const CACHE_TTL_MS = { open: 5 * SECOND, lagging: 60 * SECOND, closed: 300 * SECOND } as const;
/** How long a comparison of two sources stands. */
const COMPARISON_TTL_MS = 60 * SECOND;
/** How long "there is no such thing" is believed. */
const UNKNOWN_MS = 60 * SECOND;
/** Maximum age of a stale quote that is returned when no provider answers, ms. */
const MAX_STALE_MS = DAY;
const MAX_ENTRIES = 5_000;

export interface LiveQuotesOptions {
  /** Providers of an instrument in order of preference. */
  readonly chain: (instrument: Instrument) => readonly Guarded[];
  readonly memory: MarketCache;
  readonly clock: Clock;
  /** Compares an answer with another source's, where the caller wants it. */
  readonly compare?: (
    instrument: Instrument,
    quote: CachedQuote,
    signal: AbortSignal,
  ) => Promise<Comparison | null>;
}

/**
 * The latest price of real sources: asked in order, remembered for seconds, judged at the moment it is told. When no
 * source answers, the last known quote is told as stale; NO_PRICE when every source says there is none.
 */
export function liveQuotes({ chain, memory, clock, compare }: LiveQuotesOptions): Quotes {
  const kept = new LRUCache<
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
  const flight = createSingleFlight<FirstAnswer<CachedQuote>>();
  const comparing = createSingleFlight<{ readonly comparison: Comparison | null }>();
  const now = () => clock.now().getTime();

  const ask = (instrument: Instrument, signal: AbortSignal): Promise<FirstAnswer<CachedQuote>> => {
    const sources = chain(instrument).filter(({ provider: source }) => source.latest !== undefined);
    const assetClass = instrument.asset_class;
    // while the market trades a price of seconds ago is the best there can be; while it is closed any is
    const best = (quote: CachedQuote) =>
      marketStateAt(now(), assetClass) === "closed" ||
      priceFreshness(quote, { assetClass, now: now(), stale: false }) === "live_quote";
    return callInOrder(
      sources,
      async ({ provider: source, state }, stop) => {
        const said = await source.latest!(instrument, { signal: stop });
        return validateQuote(said, source, now(), state().skewMs ?? 0);
      },
      {
        signal,
        best,
        better: (quote, other) => quote.tradedAt > other.tradedAt,
        mayHelp: ({ provider: source }, { tradedAt }) => now() - tradedAt > source.delayMinutes * MINUTE,
      },
    );
  };

  async function fresh(
    instrument: Instrument,
    signal: AbortSignal | undefined,
  ): Promise<FirstAnswer<CachedQuote>> {
    const { symbol } = instrument;
    const won = await flight(symbol, (stop) => ask(instrument, stop), signal);
    if (kept.get(symbol)?.quote !== won.answer) {
      kept.set(symbol, { quote: won.answer, tried: won.tried });
      memory.saveQuote(symbol, won.answer);
    }
    return won;
  }

  async function lastKnown(instrument: Instrument, failure: ChainFailure): Promise<Quote> {
    const { symbol, asset_class: assetClass } = instrument;
    if (failure.unknown) {
      unknown.set(symbol, now());
      throw noPriceError(instrument);
    }
    const inMemory = kept.get(symbol)?.quote;
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

  /** A second source's price beside a quote, asked for once in a while however many want it. */
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
      const held = kept.get(symbol);
      const told = async (
        quote: CachedQuote,
        tried: readonly ProviderAttempt[],
        from: "asked" | "memory",
      ): Promise<Quote> => {
        const answer = quoteAt(quote, { assetClass, now: now(), stale: false, kept: from, tried });
        if (!verify || compare === undefined || answer.origin === undefined) return answer;
        const comparison = await compared(instrument, quote, signal);
        return comparison === null ? answer : { ...answer, origin: { ...answer.origin, comparison } };
      };
      if (held !== undefined && isFresh(held.quote, assetClass, now()))
        return told(held.quote, held.tried, "memory");
      const since = unknown.get(symbol);
      if (since !== undefined && Math.abs(now() - since) < UNKNOWN_MS) throw noPriceError(instrument);
      try {
        const { answer, tried } = await fresh(instrument, signal);
        return await told(answer, tried, "asked");
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
  // a clock that was set back makes nothing fresh
  return now - fetchedAt < ttl && now >= fetchedAt;
}
