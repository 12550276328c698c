import type { Instrument } from "../../domain/market/market.ts";
import type { CachedBars, CachedQuote, MarketCache } from "../../domain/market/market-cache-port.ts";
import type { Clock } from "../../domain/ports.ts";
import type { CloseProvider, OfficialClose, WitnessFigures } from "../../domain/providers/close-provider.ts";
import { type BoundedCache, createBoundedCache } from "../../lib/bounded-cache.ts";
import { isWithin } from "../../lib/expiry.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { previousSessionDay, sessionOn } from "../calendar/calendar.ts";
import { ChainFailure, callInOrder } from "../failover/chain.ts";
import type { Guarded } from "../failover/guard.ts";
import { prepareBars } from "./cached-series.ts";
import { type DailyFacts, dailyFactsOf, type ReferenceClose } from "./price-check.ts";
import type { PriceDeps } from "./provider-order.ts";
import { reachStart, windowStart } from "./windows.ts";
import { asWitness, hasBatches } from "./witness-sources.ts";

const MINUTE = 60_000;
/** Time for which the facts of stored daily bars are cached, ms. */
const FACTS_TTL_MS = 5 * MINUTE;
/** Time for which figures are not requested again, ms. */
const REQUEST_TTL_MS = MINUTE;
/** Number of daily bars requested where no provider has closes in batches. */
const DAILY_BARS = 30;
const MAX_ENTRIES = 5_000;
/** Maximum number of providers whose closes of a symbol are cached. */
const MAX_PROVIDERS = 3;
const NO_FACTS: DailyFacts = { bars: [], splits: [], source: null };

/** Figures of one provider and when they were requested, epoch ms. */
export interface CachedFigures extends WitnessFigures {
  readonly provider: string;
  readonly at: number;
}

/** Official close of the session before a quote. */
export interface PreviousClose {
  readonly close: number;
  /** true if it comes from another family than the quote. */
  readonly isIndependent: boolean;
}

export interface OfficialClosesOptions extends Pick<PriceDeps, "chain" | "familyOf"> {
  readonly memory: MarketCache;
  readonly clock: Clock;
  /** Providers of closes that are used as witnesses only, in order. */
  readonly witnesses: readonly Guarded<CloseProvider>[];
}

/** Official closes of stocks and funds from stored bars and from providers, cached. */
export interface OfficialCloses {
  /** Returns the stored daily bars of an instrument and its splits. */
  factsOf(instrument: Instrument): Promise<DailyFacts>;
  /**
   * Returns the newest official close before a quote, from a provider of another family than the quote's: that of
   * stored bars, else of witnesses, else of bars that are then requested. Null if no such provider has one.
   */
  closeFor(instrument: Instrument, quote: CachedQuote, signal: AbortSignal): Promise<ReferenceClose | null>;
  /**
   * Requests the closes and newest trades that the quotes of several instruments will need, in as few calls as possible.
   */
  prepare(
    rows: readonly { readonly instrument: Instrument; readonly quote: CachedQuote }[],
    signal: AbortSignal,
  ): Promise<void>;
  /** Returns figures from providers of other families than the quote's, requested within the last minute. */
  figuresFor(
    instrument: Instrument,
    quote: CachedQuote,
    signal: AbortSignal,
  ): Promise<readonly CachedFigures[]>;
  /**
   * Returns the official close of the session before a trade from the caches, of another family than that of the quote
   * if there is one; null without any.
   */
  previousClose(instrument: Instrument, quote: CachedQuote): Promise<PreviousClose | null>;
}

export function createOfficialCloses({
  chain,
  memory,
  clock,
  witnesses,
  familyOf = (name) => name,
}: OfficialClosesOptions): OfficialCloses {
  const facts = createBoundedCache<string, { readonly facts: DailyFacts; readonly at: number }>({
    name: "daily facts",
    max: MAX_ENTRIES,
  });
  const figures = createBoundedCache<string, readonly CachedFigures[]>({
    name: "witness figures",
    max: MAX_ENTRIES,
  });
  /** Times of the last request for figures, and of the last search without a close, by symbol and family. */
  const requested = createBoundedCache<string, number>({ name: "requested closes", max: MAX_ENTRIES });
  const missing = createBoundedCache<string, number>({ name: "missing closes", max: MAX_ENTRIES });
  const now = () => clock.now().getTime();
  const keyOf = ({ symbol }: Instrument, quote: CachedQuote) => `${symbol}|${familyOf(quote.source)}`;
  const isRecent = (times: BoundedCache<string, number>, key: string) => {
    const at = times.get(key);
    return at !== undefined && isWithin(at, now(), REQUEST_TTL_MS);
  };
  const isOther = (quote: CachedQuote, provider: string) => familyOf(provider) !== familyOf(quote.source);

  async function factsOf({ symbol }: Instrument): Promise<DailyFacts> {
    const known = facts.get(symbol);
    if (known !== undefined && isWithin(known.at, now(), FACTS_TTL_MS)) return known.facts;
    const stored = await memory.bars(symbol, "1d");
    const found = stored === null ? NO_FACTS : dailyFactsOf(stored);
    facts.set(symbol, { facts: found, at: now() });
    return found;
  }

  const cachedFigures = ({ symbol }: Instrument, quote: CachedQuote): readonly CachedFigures[] =>
    (figures.get(symbol) ?? []).filter(({ provider }) => isOther(quote, provider));

  function remember(symbol: string, provider: string, found: WitnessFigures): void {
    const others = (figures.get(symbol) ?? []).filter((known) => known.provider !== provider);
    figures.set(symbol, [{ ...found, provider, at: now() }, ...others].slice(0, MAX_PROVIDERS));
  }

  /** Returns the newest close before a quote from the caches, of another family than the quote's; null without one. */
  async function cachedClose(instrument: Instrument, quote: CachedQuote): Promise<ReferenceClose | null> {
    const { bars, source } = await factsOf(instrument);
    const stored = source !== null && isOther(quote, source) ? closesOf(bars) : [];
    return (
      newestClose(stored, quote.tradedAt, source ?? "") ??
      cachedFigures(instrument, quote)
        .map(({ closes, provider }) => newestClose(closes, quote.tradedAt, provider))
        .find((close) => close !== null) ??
      null
    );
  }

  /** Requests figures of instruments whose quotes are of one family, one batch at a time. */
  async function request(
    instruments: readonly Instrument[],
    quote: CachedQuote,
    signal: AbortSignal,
  ): Promise<void> {
    const sources = [...witnesses, ...chain(instruments[0]!).filter(hasBatches)]
      .filter(({ provider }) => isOther(quote, provider.name))
      .map(asWitness);
    if (sources.length === 0) return;
    const size = Math.min(...sources.map(({ batchSize }) => batchSize));
    for (let i = 0; i < instruments.length; i += size) {
      const batch = instruments.slice(i, i + size);
      for (const instrument of batch) requested.set(keyOf(instrument, quote), now());
      const found = await orNull(
        callInOrder(
          sources.map(({ guarded }) => guarded),
          (guarded, stop) => sources.find((one) => one.guarded === guarded)!.read(batch, stop),
          { signal },
        ),
      );
      if (found === null) continue;
      for (const [symbol, row] of found.answer) remember(symbol, found.provider.provider.name, row);
    }
  }

  /** Requests the daily bars of another family and caches their closes. */
  async function requestBars(instrument: Instrument, quote: CachedQuote, signal: AbortSignal): Promise<void> {
    const { asset_class: assetClass, symbol } = instrument;
    const at = now();
    const providers = chain(instrument).filter(
      ({ provider }) =>
        provider.history !== undefined &&
        provider.reaches["1d"] !== undefined &&
        isOther(quote, provider.name),
    );
    const from = windowStart("1d", DAILY_BARS, at, assetClass);
    const found = await orNull(
      callInOrder(
        providers,
        async ({ provider, state }, stop): Promise<CachedBars> => {
          const start = Math.max(from, reachStart(provider.reaches["1d"]!, at, "1d", assetClass));
          const window = { timeframe: "1d", from: start, until: at } as const;
          const response = await provider.history!(instrument, { ...window, signal: stop });
          return prepareBars(response, provider, {
            assetClass,
            timeframe: "1d",
            base: "1d",
            from: start,
            at,
            now: now(),
            skewMs: state().skewMs ?? 0,
            layout: "regular",
          });
        },
        { signal },
      ),
    );
    if (found === null) return;
    const closes = closesOf(dailyFactsOf(found.answer).bars);
    remember(symbol, found.answer.source, { closes, last: null });
  }

  return {
    factsOf,

    async figuresFor(instrument, quote, signal) {
      if (!isRecent(requested, keyOf(instrument, quote))) await request([instrument], quote, signal);
      return cachedFigures(instrument, quote).filter(({ at }) => isWithin(at, now(), REQUEST_TTL_MS));
    },

    async closeFor(instrument, quote, signal) {
      const cached = await cachedClose(instrument, quote);
      const key = keyOf(instrument, quote);
      if (cached !== null || isRecent(missing, key)) return cached;
      if (!isRecent(requested, key)) await request([instrument], quote, signal);
      const found = await cachedClose(instrument, quote);
      if (found !== null) return found;
      await requestBars(instrument, quote, signal);
      const last = await cachedClose(instrument, quote);
      if (last === null) missing.set(key, now());
      return last;
    },

    async prepare(rows, signal) {
      const stocks = rows.filter(({ instrument }) => instrument.asset_class !== "crypto");
      const due = stocks.filter(({ instrument, quote }) => !isRecent(requested, keyOf(instrument, quote)));
      const families = new Set(due.map(({ quote }) => familyOf(quote.source)));
      for (const family of families) {
        const own = due.filter(({ quote }) => familyOf(quote.source) === family);
        await request(
          own.map(({ instrument }) => instrument),
          own[0]!.quote,
          signal,
        );
      }
    },

    async previousClose(instrument, quote) {
      const { bars, source } = await factsOf(instrument);
      const day = previousSessionDay(newYorkDay(quote.tradedAt));
      const found = [
        { closes: closesOf(bars), provider: source ?? "" },
        ...(figures.get(instrument.symbol) ?? []),
      ].flatMap(({ closes, provider }) => {
        const close = closeOn(closes, day);
        return close === null ? [] : [{ close, isIndependent: isOther(quote, provider) }];
      });
      return found.find(({ isIndependent }) => isIndependent) ?? found[0] ?? null;
    },
  };
}

const closesOf = (bars: DailyFacts["bars"]): readonly OfficialClose[] =>
  bars.map(({ time, close }) => ({ day: new Date(time).toISOString().slice(0, 10), close }));

const closeOn = (closes: readonly OfficialClose[], day: number | null): number | null => {
  if (day === null) return null;
  const date = new Date(day).toISOString().slice(0, 10);
  return closes.find((row) => row.day === date)?.close ?? null;
};

/**
 * Returns the close of a trade's own session if it is over, else that of the session before; null if neither is known.
 */
function newestClose(
  closes: readonly OfficialClose[],
  tradedAt: number,
  provider: string,
): ReferenceClose | null {
  const day = newYorkDay(tradedAt);
  const own = sessionOn(day);
  const previousDay = previousSessionDay(day);
  for (const one of [own !== null && own.close < tradedAt ? day : null, previousDay]) {
    const close = closeOn(closes, one);
    if (one !== null && close !== null)
      return { close, at: sessionOn(one)!.close, provider, previous: closeOn(closes, previousDay) };
  }
  return null;
}

/** Returns null instead of throwing ChainFailure. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof ChainFailure) return null;
    throw cause;
  }
}
