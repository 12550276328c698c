import type { ProviderAttempt } from "../../domain/market/provenance.ts";
import type { Headline } from "../../domain/news/news.ts";
import type { NewsProvider, NewsRequest } from "../../domain/news/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import type { Guarded } from "../../market/failover/guard.ts";

/** Headlines of press wires and filings about one instrument, and the providers that did not answer. */
export interface WireNews {
  readonly headlines: readonly Headline[];
  readonly failed: readonly ProviderAttempt[];
}

/**
 * Returns the headlines of all wires about an instrument, each with its source. A provider that fails is
 * listed in `failed`, because the headlines only complete the list of another provider.
 */
export async function readWires(
  wires: readonly Guarded<NewsProvider>[],
  request: NewsRequest,
  signal: AbortSignal,
): Promise<WireNews> {
  const able = wires.filter(({ provider }) => provider.serves.has(request.instrument.asset_class));
  const results = await Promise.all(able.map((wire) => readWire(wire, request, signal)));
  return {
    headlines: results.flatMap(({ headlines }) => headlines),
    failed: results.flatMap(({ failed }) => failed),
  };
}

async function readWire(
  wire: Guarded<NewsProvider>,
  request: NewsRequest,
  signal: AbortSignal,
): Promise<WireNews> {
  const { provider } = wire;
  const started = performance.now();
  const failedWith = (outcome: string): WireNews => ({
    headlines: [],
    failed: [{ provider: provider.name, outcome, ms: Math.round(performance.now() - started) }],
  });
  const reason = wire.unavailableReason();
  if (reason !== null) return failedWith(reason);
  try {
    const { headlines } = await wire.call((stop) => provider.call(request, { signal: stop }), signal);
    return { headlines: headlines.map((headline) => ({ ...headline, source: provider.name })), failed: [] };
  } catch (cause) {
    if (!(cause instanceof ProviderFailure) || signal.aborted) throw cause;
    return failedWith(cause.kind);
  }
}
