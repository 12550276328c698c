import type { Indices } from "../../domain/indices/indices-port.ts";
import { asInstrument, type Instrument } from "../../domain/market/market.ts";
import type { MarketCache } from "../../domain/market/market-cache-port.ts";
import type { CloseProvider } from "../../domain/providers/close-provider.ts";
import type { PriceProvider } from "../../domain/providers/price-provider.ts";
import { liveIndices } from "../../features/indices/live/indices.ts";
import { isOptionIndex } from "../../market/calendar/index-hours.ts";
import { checkedQuotes } from "../../market/prices/checked-quotes.ts";
import { liveHistory } from "../../market/prices/history.ts";
import { liveQuotes } from "../../market/prices/quotes.ts";
import { cboeIndices } from "../../providers/cboe/indices.ts";
import { cnbcIndices } from "../../providers/cnbc/closes.ts";
import { yahooIndices } from "../../providers/yahoo/indices.ts";
import { NO_INDICES, noIndices } from "./not-connected.ts";
import type { ProviderFactory, ProviderOptions } from "./provider-factory.ts";
import { familyOf } from "./provider-terms.ts";

const PROBE = asInstrument({ symbol: "^VIX", name: "the volatility index of the S&P 500" });

const OPTIONS: ProviderOptions<PriceProvider> = {
  content: "indices",
  check: (provider, signal) => provider.latest!(PROBE, { signal }),
};
const CLOSES: ProviderOptions<CloseProvider> = {
  content: "closes of indices",
  check: (provider, signal) => provider.call([PROBE], { signal }),
};

/** Creates the port for indices: Yahoo and Cboe, with CNBC as a further witness, all without a key. */
export function indicesPort(
  { create, clock }: ProviderFactory,
  restrictTo: (providers: ReadonlySet<string>) => MarketCache,
): Indices {
  const yahoo = create("yahoo", yahooIndices, OPTIONS);
  const cboe = create("cboe", cboeIndices, OPTIONS);
  const witnesses = create("cnbc", cnbcIndices, CLOSES);
  if (yahoo.length + cboe.length === 0) return noIndices(NO_INDICES);
  const prices = {
    // of the indices that Cboe computes, its own levels come first
    chain: ({ symbol }: Instrument) => (isOptionIndex(symbol) ? [...cboe, ...yahoo] : [...yahoo, ...cboe]),
    memory: restrictTo(new Set([...yahoo, ...cboe].map(({ provider }) => provider.name))),
    clock,
    familyOf,
  };
  return liveIndices({
    quotes: liveQuotes(checkedQuotes(prices, witnesses)),
    bars: liveHistory(prices),
    clock,
    missing: null,
  });
}
