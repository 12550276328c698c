import type { AssetClass, Instrument, Quote } from "../../domain/market/market.ts";
import type { CachedQuote } from "../../domain/market/market-cache-port.ts";
import type { Comparison, ProviderAttempt } from "../../domain/market/provenance.ts";
import type { Quotes } from "../../domain/ports.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { marketStateAt } from "../calendar/calendar.ts";
import { ChainFailure, type ChainResult, callInOrder } from "../failover/chain.ts";
import { noPriceError, noProviderError } from "../failover/provider-errors.ts";
import { createSingleFlight } from "../failover/single-flight.ts";
import { requestBatches } from "./batch-quotes.ts";
import type { Comparer } from "./compare.ts";
import type { OfficialCloses } from "./official-closes.ts";
import { isOtherClose, previousCloseAfter, splitOnDay } from "./price-check.ts";
import type { PriceDeps } from "./provider-order.ts";
import type { QuoteHub } from "./quote-hub.ts";
import { priceFreshness, type QuoteContext, quoteAt, validateQuote } from "./validate-quote.ts";
import type { Witness } from "./witness.ts";

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

/** Change of a price, as a share, after which a cached comparison is not used. */
const COMPARISON_TOLERANCE = 0.005;

interface LiveQuotesOptions extends PriceDeps {
  /** Streamed prices, which take precedence while they are live. */
  readonly streams?: Pick<QuoteHub, "latest"> | null;
  /** Compares a quote with another provider's quote. Default: quotes are not compared. */
  readonly compare?: Comparer;
  /** Checks prices before they are called live, with the closes it uses. Default: prices are not checked. */
  readonly checks?: { readonly witness: Witness; readonly closes: OfficialCloses };
}

/**
 * Returns the latest price from live providers, which are called in order. Prices are cached for seconds; freshness is
 * determined on return. A price is called live only if its witness confirms it. The previous close is the provider's, or
 * else the official one of stored bars and witnesses; null if they differ. If no provider responds, the last known quote
 * is returned as stale. Rejects with NO_PRICE if no responding provider lists the symbol.
 */
export function liveQuotes(options: LiveQuotesOptions): Quotes {
  const { chain, memory, clock, compare, streams, checks, toDollars = async (quote) => quote } = options;
  const cache = createBoundedCache<
    string,
    { readonly quote: CachedQuote; readonly tried: readonly ProviderAttempt[] }
  >({
    name: "quotes",
    max: MAX_ENTRIES,
  });
  const unknown = createBoundedCache<string, number>({ name: "symbols without a quote", max: MAX_ENTRIES });
  const comparisons = createBoundedCache<
    string,
    {
      readonly comparison: Comparison | null;
      readonly at: number;
      readonly quote: Pick<CachedQuote, "source" | "price">;
    }
  >({ name: "comparisons", max: MAX_ENTRIES });
  const flight = createSingleFlight<ChainResult<CachedQuote>>();
  const comparing = createSingleFlight<{ readonly comparison: Comparison | null }>();
  const now = () => clock.now().getTime();

  /** Returns true for a complete quote: a live price while the market is open, any price while it is closed. */
  const isBest = (quote: CachedQuote, assetClass: AssetClass) =>
    marketStateAt(now(), assetClass) === "closed" ||
    priceFreshness(quote, { assetClass, now: now(), stale: false }) === "live_quote";

  const call = async (instrument: Instrument, signal: AbortSignal): Promise<ChainResult<CachedQuote>> => {
    const providers = chain(instrument).filter(({ provider }) => provider.latest !== undefined);
    const best = (quote: CachedQuote) => isBest(quote, instrument.asset_class);
    const result = await callInOrder(
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
    return { ...result, answer: await toDollars(result.answer, signal) };
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
      throw noProviderError(instrument, { tried: failure.tried, guards: chain(instrument), now: now() });
    return quoteAt(last, {
      assetClass,
      now: now(),
      stale: true,
      served_from: inMemory === undefined ? "store" : "memory",
      tried: failure.tried,
    });
  }

  /** Returns the comparison with a second provider, cached for a minute while the price hardly changes. */
  async function compared(
    instrument: Instrument,
    quote: CachedQuote,
    signal: AbortSignal | undefined,
  ): Promise<Comparison | null> {
    const before = comparisons.get(instrument.symbol);
    if (
      before !== undefined &&
      before.quote.source === quote.source &&
      Math.abs(quote.price / before.quote.price - 1) <= COMPARISON_TOLERANCE &&
      Math.abs(now() - before.at) < COMPARISON_TTL_MS
    )
      return before.comparison;
    const splits = (await checks?.closes.factsOf(instrument))?.splits ?? [];
    const found = await comparing(
      instrument.symbol,
      async (stop) => ({
        comparison: (await compare?.(instrument, quote, { splits, signal: stop })) ?? null,
      }),
      signal,
    );
    comparisons.set(instrument.symbol, { ...found, at: now(), quote });
    return found.comparison;
  }

  /**
   * Returns a quote with the previous close of its day, after a split of the day: that of its provider, or without one
   * the official one. Null if the official one of another family differs: one of them is wrong.
   */
  async function withPreviousClose(instrument: Instrument, quote: CachedQuote): Promise<CachedQuote> {
    if (checks === undefined || instrument.asset_class === "crypto") return quote;
    const { splits } = await checks.closes.factsOf(instrument);
    const split = splitOnDay(quote.tradedAt, splits);
    const adjusted = (previousClose: number | null) => previousCloseAfter({ ...quote, previousClose }, split);
    const official = await checks.closes.previousClose(instrument, quote);
    const own = adjusted(quote.previousClose);
    if (own === null) return { ...quote, previousClose: adjusted(official?.close ?? null) };
    const isDisputed = official?.isIndependent === true && isOtherClose(own, adjusted(official.close));
    return { ...quote, previousClose: isDisputed ? null : own };
  }

  /** Returns the answer for a quote: checked before it is called live, and compared with a second provider on request. */
  async function respond(
    instrument: Instrument,
    quote: CachedQuote,
    {
      tried,
      served_from,
      verify,
      signal,
    }: Pick<QuoteContext, "tried" | "served_from"> & {
      readonly verify: boolean;
      readonly signal: AbortSignal | undefined;
    },
  ): Promise<Quote> {
    const context = { assetClass: instrument.asset_class, now: now(), stale: false, served_from, tried };
    const isLive = priceFreshness(quote, context) === "live_quote";
    const stop = signal ?? new AbortController().signal;
    const checked = isLive ? await checks?.witness.check(instrument, quote, stop) : undefined;
    const isCompared = verify && compare !== undefined;
    const comparison = checked?.comparison ?? (isCompared ? await compared(instrument, quote, signal) : null);
    const answer = quoteAt(await withPreviousClose(instrument, quote), context);
    return {
      ...answer,
      ...(checked?.check.confirmed === false && { price_source: "unconfirmed_quote" }),
      origin: {
        ...answer.origin!,
        ...(comparison !== null && { comparison }),
        ...(checked !== undefined && { check: checked.check }),
      },
    };
  }

  async function prefetchGroup(group: readonly Instrument[], signal: AbortSignal): Promise<void> {
    const found = await requestBatches(group, {
      ...options,
      isBest: (quote, { asset_class }) => isBest(quote, asset_class),
      signal,
    });
    for (const { instrument, quote, tried } of found) {
      cache.set(instrument.symbol, { quote, tried });
      memory.saveQuote(instrument.symbol, quote);
    }
    const live = found.filter(
      ({ instrument: { asset_class: assetClass }, quote }) =>
        priceFreshness(quote, { assetClass, now: now(), stale: false }) === "live_quote",
    );
    await checks?.witness.prepare(live, signal);
  }

  return {
    async prefetch(instruments, { signal } = {}) {
      signal?.throwIfAborted();
      const due = instruments.filter((instrument) => {
        const { symbol, asset_class } = instrument;
        const cached = cache.get(symbol)?.quote;
        if (cached !== undefined && isFresh(cached, asset_class, now())) return false;
        return (streams?.latest(instrument, cached) ?? null) === null;
      });
      const chains = [true, false].map((isCrypto) =>
        due.filter(({ asset_class }) => (asset_class === "crypto") === isCrypto),
      );
      const stop = signal ?? new AbortController().signal;
      for (const group of chains.filter(({ length }) => length > 1)) await prefetchGroup(group, stop);
    },
    async latest(instrument, { signal, verify = false } = {}) {
      signal?.throwIfAborted();
      const { symbol, asset_class: assetClass } = instrument;
      const cached = cache.get(symbol);
      const streamed = streams?.latest(instrument, cached?.quote) ?? null;
      if (streamed !== null)
        return respond(instrument, await toDollars(streamed, signal ?? new AbortController().signal), {
          tried: [],
          served_from: "stream",
          verify,
          signal,
        });
      if (cached !== undefined && isFresh(cached.quote, assetClass, now()))
        return respond(instrument, cached.quote, {
          tried: cached.tried,
          served_from: "memory",
          verify,
          signal,
        });
      const since = unknown.get(symbol);
      if (since !== undefined && Math.abs(now() - since) < UNKNOWN_MS) throw noPriceError(instrument);
      try {
        const { answer, tried } = await fresh(instrument, signal);
        return await respond(instrument, answer, { tried, served_from: "provider", verify, signal });
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
