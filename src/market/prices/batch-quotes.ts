import type { Instrument } from "../../domain/market/market.ts";
import type { CachedQuote } from "../../domain/market/market-cache-port.ts";
import type { ProviderAttempt } from "../../domain/market/provenance.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { marketStateAt } from "../calendar/calendar.ts";
import { ChainFailure, callInOrder } from "../failover/chain.ts";
import type { Guarded } from "../failover/guard.ts";
import type { PriceDeps } from "./provider-order.ts";
import { validateQuote } from "./validate-quote.ts";

/** Delay before a batch is requested a second time, ms: a first one may take three calls in a row, and each counts. */
const HEDGE_MS = 1_000;

export interface BatchQuote {
  readonly instrument: Instrument;
  readonly quote: CachedQuote;
  readonly tried: readonly ProviderAttempt[];
}

interface BatchOptions extends Pick<PriceDeps, "chain" | "clock"> {
  /** Returns true for a complete quote; an instrument without one is requested from the next provider too. */
  readonly isBest: (quote: CachedQuote, instrument: Instrument) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Returns the quotes of instruments with the same providers, with as few calls as possible: from the first provider
 * that has quotes in batches, then those it lacks from the next. Only complete quotes are returned and, outside the
 * regular session, trades of all venues, because no provider has a newer one. The others and unlisted instruments are
 * missing; all are if no such provider responds.
 */
export async function requestBatches(
  instruments: readonly Instrument[],
  { chain, clock, isBest, signal }: BatchOptions,
): Promise<readonly BatchQuote[]> {
  const [first] = instruments;
  if (first === undefined) return [];
  const now = () => clock.now().getTime();
  let providers = chain(first).filter(({ provider }) => provider.latestOf !== undefined);
  let missing = instruments;
  const newest = new Map<Instrument, BatchQuote>();
  // a single instrument costs one call either way
  while (providers.length > 0 && missing.length > 1) {
    const size = Math.min(...providers.map(({ provider }) => provider.batchSize ?? 1));
    const answered = new Set<string>();
    for (const batch of batchesOf(missing, size)) {
      const found = await requestBatch(batch, providers, { now, signal });
      if (found === null) continue;
      answered.add(found.provider);
      for (const row of found.quotes) {
        const before = newest.get(row.instrument)?.quote;
        if (before === undefined || row.quote.tradedAt > before.tradedAt) newest.set(row.instrument, row);
      }
    }
    if (answered.size === 0) break;
    providers = providers.filter(({ provider }) => !answered.has(provider.name));
    missing = missing.filter((instrument) => {
      const found = newest.get(instrument);
      return found === undefined || !isBest(found.quote, instrument);
    });
  }
  return [...newest.values()].filter(
    ({ quote, instrument }) => isBest(quote, instrument) || isNewest(quote, instrument, now()),
  );
}

const batchesOf = <T>(list: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));

/** Requests one batch from the first provider that responds; null if none does. Invalid quotes are missing. */
async function requestBatch(
  batch: readonly Instrument[],
  providers: readonly Guarded[],
  { now, signal }: { readonly now: () => number; readonly signal: AbortSignal },
): Promise<{ readonly provider: string; readonly quotes: readonly BatchQuote[] } | null> {
  try {
    const { answer, tried, provider } = await callInOrder(
      providers,
      async ({ provider, state }, stop) => {
        const quotes = await provider.latestOf!(batch, { signal: stop });
        return batch.flatMap((instrument) => {
          const quote = quotes.get(instrument.symbol);
          if (quote === undefined) return [];
          const valid = validOrNull(() => validateQuote(quote, provider, now(), state().skewMs ?? 0));
          return valid === null ? [] : [{ instrument, quote: valid }];
        });
      },
      { signal, hedgeMs: HEDGE_MS },
    );
    return { provider: provider.provider.name, quotes: answer.map((row) => ({ ...row, tried })) };
  } catch (cause) {
    if (cause instanceof ChainFailure) return null;
    throw cause;
  }
}

/** Returns true outside the regular session for a real-time trade of all venues, also if it is minutes old. */
const isNewest = (
  { volumeScope, delayMinutes }: CachedQuote,
  { asset_class }: Instrument,
  now: number,
): boolean => {
  const state = marketStateAt(now, asset_class);
  return (state === "pre" || state === "post") && volumeScope === "all_venues" && delayMinutes === 0;
};

/** Returns null instead of throwing ProviderFailure. */
function validOrNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof ProviderFailure) return null;
    throw cause;
  }
}
