import type { Instrument } from "../../src/domain/market/market.ts";
import type {
  CachedBars,
  CachedQuote,
  Disagreement,
  MarketCache,
} from "../../src/domain/market/market-cache-port.ts";
import type { Clock } from "../../src/domain/ports.ts";
import type {
  PriceProvider,
  ProviderBars,
  ProviderQuote,
} from "../../src/domain/providers/price-provider.ts";
import { ProviderFailure } from "../../src/domain/providers/price-provider.ts";
import type { Provider } from "../../src/domain/providers/provider.ts";
import { type Guarded, guard } from "../../src/market/failover/guard.ts";
import { movingClock } from "./store.ts";

/** A clock that tests set. */
export function settableClock(iso: string) {
  const { now, pass } = movingClock(new Date(iso));
  return { now, at: () => now().getTime(), move: pass };
}

const US: Instrument = {
  symbol: "AAPL",
  name: "Apple",
  asset_class: "equity",
  sector: "Information Technology",
  currency: "USD",
};
const TOKEN: Instrument = {
  symbol: "BTC-USD",
  name: "Bitcoin",
  asset_class: "crypto",
  sector: null,
  currency: "USD",
};
export const INSTRUMENTS = { us: US, token: TOKEN } as const;

/** A trade as a provider returns it. */
export const providerQuote = (over: Partial<ProviderQuote> = {}): ProviderQuote => ({
  price: 100,
  tradedAt: Date.parse("2026-01-15T15:00:00Z"),
  previousClose: 99,
  open: 99.5,
  high: 101,
  low: 99,
  volume: 1_000,
  volumeScope: "all_venues",
  venue: "US",
  ...over,
});

/** Bars of US stocks as a provider returns them. */
export const providerBars = (bars: ProviderBars["bars"]): ProviderBars => ({
  bars,
  adjustment: "split",
  hours: "regular",
  volumeScope: "all_venues",
  venue: "US",
});

/** A provider behind its guard that responds with a function's result; a returned failure is thrown. */
export const respondingProvider = <Q, A, Facts extends object = object>(
  name: string,
  clock: Clock,
  respond: (request: Q) => A | ProviderFailure,
  facts: Facts = {} as Facts,
): Guarded<Provider<Q, A> & Facts> =>
  guard(
    () => ({
      ...facts,
      name,
      budget: { calls: 1_000, perMs: 60_000, atOnce: 4 },
      async call(request: Q) {
        const response = respond(request);
        if (response instanceof ProviderFailure) throw response;
        return response;
      },
    }),
    { fetch, clock },
  );

/** A provider with fixed responses, behind its guard. */
export function fakeProvider(
  name: string,
  {
    latest,
    history,
    clock,
    timeoutMs,
    ...facts
  }: Partial<Omit<PriceProvider, "latest" | "history">> & {
    readonly latest?: (signal: AbortSignal) => Promise<ProviderQuote>;
    readonly history?: (
      request: Parameters<NonNullable<PriceProvider["history"]>>[1],
    ) => Promise<ProviderBars>;
    readonly clock: { now(): Date };
    readonly timeoutMs?: number;
  },
): Guarded {
  return guard(
    ({ acquireSlot: enter }) => {
      const counted = async <T>(work: () => Promise<T>, signal: AbortSignal) => {
        const done = await enter(signal);
        try {
          return await work();
        } finally {
          done();
        }
      };
      return {
        name,
        serves: new Set(["equity", "etf", "crypto"] as const),
        budget: { calls: 1_000, perMs: 60_000, atOnce: 100 },
        delayMinutes: 0,
        liveWithinMs: 120_000,
        reaches: history === undefined ? {} : { "1d": Infinity, "1h": 700 },
        ...(latest !== undefined && { latest: (_, { signal }) => counted(() => latest(signal), signal) }),
        ...(history !== undefined && {
          history: (_, request) => counted(() => history(request), request.signal),
        }),
        ...facts,
      };
    },
    { fetch, clock, ...(timeoutMs !== undefined && { timeoutMs }) },
  );
}

/** A cache for one test. */
export function shortMemory() {
  const quotes = new Map<string, CachedQuote>();
  const bars = new Map<string, CachedBars>();
  const found: Disagreement[] = [];
  const memory: MarketCache = {
    quote: async (symbol) => quotes.get(symbol) ?? null,
    saveQuote: (symbol, quote) => void quotes.set(symbol, quote),
    bars: async (symbol, timeframe) => bars.get(`${symbol}|${timeframe}`) ?? null,
    saveBars: (symbol, timeframe, stored) => void bars.set(`${symbol}|${timeframe}`, stored),
    disagreements: async (limit) => found.slice(-limit).reverse(),
    saveDisagreement: (one) => void found.push(one),
    recentSymbols: async () => [...quotes.keys()],
  };
  return { memory, quotes, bars, found };
}
