import type { Instrument } from "../../domain/market/market.ts";
import type { CachedQuote } from "../../domain/market/market-cache-port.ts";
import type { ProviderAttempt } from "../../domain/market/provenance.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { ChainFailure, callInOrder } from "../failover/chain.ts";
import type { PriceDeps } from "./provider-order.ts";
import { validateQuote } from "./validate-quote.ts";

export interface BatchQuote {
  readonly instrument: Instrument;
  readonly quote: CachedQuote;
  readonly tried: readonly ProviderAttempt[];
}

/**
 * Returns the quotes of instruments with the same providers from the first of them that has quotes in batches, with as
 * few calls as possible. Unlisted instruments and invalid quotes are missing; none if no such provider responds.
 */
export async function requestBatches(
  instruments: readonly Instrument[],
  { chain, clock }: Pick<PriceDeps, "chain" | "clock">,
  signal: AbortSignal,
): Promise<readonly BatchQuote[]> {
  const [first] = instruments;
  if (first === undefined) return [];
  const providers = chain(first).filter(({ provider }) => provider.latestOf !== undefined);
  if (providers.length === 0) return [];
  const size = Math.min(...providers.map(({ provider }) => provider.batchSize ?? 1));
  const batches = Array.from({ length: Math.ceil(instruments.length / size) }, (_, i) =>
    instruments.slice(i * size, (i + 1) * size),
  );
  const found: BatchQuote[] = [];
  for (const batch of batches) {
    try {
      const { answer, tried } = await callInOrder(
        providers,
        async ({ provider, state }, stop) => {
          const quotes = await provider.latestOf!(batch, { signal: stop });
          const now = clock.now().getTime();
          return batch.flatMap((instrument) => {
            const quote = quotes.get(instrument.symbol);
            const valid =
              quote === undefined
                ? null
                : validOrNull(() => validateQuote(quote, provider, now, state().skewMs ?? 0));
            return valid === null ? [] : [{ instrument, quote: valid }];
          });
        },
        { signal },
      );
      found.push(...answer.map((row) => ({ ...row, tried })));
    } catch (cause) {
      if (!(cause instanceof ChainFailure)) throw cause;
    }
  }
  return found;
}

/** Returns null instead of throwing ProviderFailure. */
function validOrNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof ProviderFailure) return null;
    throw cause;
  }
}
