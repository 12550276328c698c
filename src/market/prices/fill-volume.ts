import type { Instrument, Quote } from "../../domain/market/market.ts";
import type { QuoteOptions, Quotes } from "../../domain/ports.ts";
import { ProviderFailure, type VolumeScope } from "../../domain/providers/price-provider.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { isWithin } from "../../lib/expiry.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { timeFor, withTimeLimit } from "../../lib/time-limit.ts";
import { callInOrder } from "../failover/chain.ts";
import type { PriceDeps } from "./provider-order.ts";
import { validateQuote } from "./validate-quote.ts";

/** Time for which a volume, or that no provider has one, is cached, ms. */
const TTL_MS = 60_000;
/** Maximum time that a quote waits for the volume, ms. */
const MAX_WAIT_MS = 1_000;
const MAX_ENTRIES = 5_000;

interface SessionVolume {
  readonly volume: number;
  readonly scope: VolumeScope;
  readonly provider: string;
}

/**
 * Adds the volume of the next provider to quotes of stocks and funds whose provider has none. The volume is that of all
 * venues in the session of the quote's trade, and the answer names its provider; without one it stays null. Before the
 * session opens it has no volume, and no provider is called.
 */
export function withVolume<Q extends Quotes>(quotes: Q, { chain, clock }: Omit<PriceDeps, "memory">): Q {
  const cache = createBoundedCache<
    string,
    { readonly volume: SessionVolume | null; readonly day: number; readonly at: number }
  >({ name: "volumes", max: MAX_ENTRIES });
  const now = () => clock.now().getTime();

  async function requestVolume(
    instrument: Instrument,
    { source, day }: { readonly source: string; readonly day: number },
    signal: AbortSignal,
  ): Promise<SessionVolume> {
    const others = chain(instrument).filter(
      ({ provider }) => provider.latest !== undefined && provider.name !== source,
    );
    const { answer } = await callInOrder(
      others,
      async ({ provider, state }, stop) => {
        const response = await provider.latest!(instrument, { signal: stop });
        const quote = validateQuote(response, provider, now(), state().skewMs ?? 0);
        if (quote.volume === null || quote.volumeScope !== "all_venues" || newYorkDay(quote.tradedAt) !== day)
          throw new ProviderFailure("unsupported", "no volume of all venues in this session");
        return { volume: quote.volume, scope: quote.volumeScope, provider: provider.name };
      },
      { signal },
    );
    return answer;
  }

  async function volumeOf(instrument: Instrument, quote: Quote, signal: AbortSignal | undefined) {
    const day = newYorkDay(Date.parse(quote.timestamp));
    const { symbol } = instrument;
    const cached = cache.get(symbol);
    if (cached !== undefined && cached.day === day && isWithin(cached.at, now(), TTL_MS))
      return cached.volume;
    const request = { source: quote.source, day };
    const volume = await withTimeLimit(timeFor(clock, MAX_WAIT_MS), signal, (limited) =>
      requestVolume(instrument, request, limited),
    ).catch(() => null);
    signal?.throwIfAborted();
    cache.set(symbol, { volume, day, at: now() });
    return volume;
  }

  return {
    ...quotes,
    async latest(instrument: Instrument, options: QuoteOptions = {}): Promise<Quote> {
      const quote = await quotes.latest(instrument, options);
      const { origin } = quote;
      const isMissing = quote.volume === null && instrument.asset_class !== "crypto";
      if (!isMissing || origin === undefined || origin.stale || origin.session === "pre") return quote;
      const found = await volumeOf(instrument, quote, options.signal);
      if (found === null) return quote;
      return {
        ...quote,
        volume: found.volume,
        origin: { ...origin, volume_scope: found.scope, volume_provider: found.provider },
      };
    },
  };
}
