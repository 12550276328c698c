import type { Contracts } from "../../domain/ports.ts";
import type { ContractProvider } from "../../domain/prediction-markets/provider.ts";
import { liveContracts } from "../../features/prediction-markets/live.ts";
import { kalshiContracts } from "../../providers/kalshi/contracts.ts";
import { manifoldContracts } from "../../providers/manifold/contracts.ts";
import { polymarketContracts } from "../../providers/polymarket/contracts.ts";
import type { ProviderFactory, ProviderOptions } from "./provider-factory.ts";

const OPTIONS: ProviderOptions<ContractProvider> = {
  content: "prediction markets",
  timeoutMs: 5_000, // responses are whole pages of events, of half a megabyte
  check: (venue, signal) => venue.call("bitcoin", { signal }),
};

/**
 * Creates prediction markets over the enabled venues, real-money venues first. No venue is called before the first
 * request.
 */
export function contractsPort({ create, clock }: ProviderFactory): Contracts {
  const venues = [
    { name: "polymarket", real_money: true, providers: create("polymarket", polymarketContracts, OPTIONS) },
    { name: "kalshi", real_money: true, providers: create("kalshi", kalshiContracts, OPTIONS) },
    { name: "manifold", real_money: false, providers: create("manifold", manifoldContracts, OPTIONS) },
  ];
  return liveContracts({ venues: venues.filter(({ providers }) => providers.length > 0), clock });
}
