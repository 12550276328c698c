import type { Instrument, Market } from "../../domain/market/market.ts";
import type { MarketCache } from "../../domain/market/market-cache-port.ts";
import type { Clock, Ports } from "../../domain/ports.ts";
import type { Guarded } from "../../market/failover/guard.ts";
import { checkedQuotes } from "../../market/prices/checked-quotes.ts";
import { liveHistory } from "../../market/prices/history.ts";
import { liveQuotes } from "../../market/prices/quotes.ts";
import { contractsPort } from "./contracts.ts";
import { newsPort } from "./news.ts";
import { noOffExchange, noOptions, noPrints, noShortInterest } from "./not-connected.ts";
import type { ProviderFactory } from "./provider-factory.ts";
import { mayBeRepublished } from "./switched-off.ts";

/** Ports that replace those of the market while the public demo is computed. */
export type DemoPorts = Pick<
  Ports,
  | "quotes"
  | "bars"
  | "news"
  | "contracts"
  | "prints"
  | "offExchange"
  | "shortInterest"
  | "chains"
  | "flowTape"
  | "putCalls"
>;

interface DemoDeps {
  /** Returns the price providers of an instrument whose data may be shown to anyone, in call order. */
  readonly chain: (instrument: Instrument) => readonly Guarded[];
  /** Cached answers of those providers only. */
  readonly memory: MarketCache;
  readonly clock: Clock;
  /** Returns the family of a provider. */
  readonly familyOf: (provider: string) => string;
}

/**
 * Returns the market for which the public demo is computed: its id is its own, so that nothing computed from other
 * providers' data is read from a cache.
 */
export const demoMarketOf = ({ demoFor: _, ...market }: Market): Market => ({
  ...market,
  id: `${market.id}-demo`,
});

/**
 * Creates the ports of the public demo: prices, news and prediction markets from providers whose data may be shown to
 * anyone. Other data is not connected, because it is stored without regard to its provider's terms.
 */
export function demoPorts(factory: ProviderFactory, prices: DemoDeps): DemoPorts {
  const open: ProviderFactory = {
    ...factory,
    create: (name, build, options) => (mayBeRepublished(name) ? factory.create(name, build, options) : []),
  };
  return {
    quotes: liveQuotes(checkedQuotes(prices, [])),
    bars: liveHistory(prices),
    news: newsPort(open),
    contracts: contractsPort(open),
    prints: noPrints,
    offExchange: noOffExchange,
    shortInterest: noShortInterest,
    ...noOptions,
  };
}
