import type { Contracts } from "../../domain/ports.ts";
import type { ContractProvider } from "../../domain/prediction-markets/provider.ts";
import { liveContracts } from "../../features/prediction-markets/live.ts";
import { kalshiContracts } from "../../providers/kalshi/contracts.ts";
import { manifoldContracts } from "../../providers/manifold/contracts.ts";
import { polymarketContracts } from "../../providers/polymarket/contracts.ts";
import type { ProviderSetup } from "../../providers/shared/http-client.ts";
import type { ProviderName } from "../provider-table.ts";
import type { ProviderFactory } from "./provider-factory.ts";

/** Answers are whole pages of events, of half a megabyte. */
const TIMEOUT_MS = 5_000;

/** The venues of prediction markets, those of real money first. */
const VENUES: readonly {
  readonly name: ProviderName;
  readonly real_money: boolean;
  readonly make: (setup: ProviderSetup & { readonly now: () => number }) => ContractProvider;
}[] = [
  { name: "polymarket", real_money: true, make: polymarketContracts },
  { name: "kalshi", real_money: true, make: kalshiContracts },
  { name: "manifold", real_money: false, make: manifoldContracts },
];

/** Prediction markets over the enabled venues. No venue is called before the first request. */
export function contractsPort({ create: on, now, clock }: ProviderFactory): Contracts {
  const venues = VENUES.flatMap(({ name, real_money, make }) => {
    const providers = on(name, (setup) => make({ ...setup, now }), {
      content: "prediction markets",
      timeoutMs: TIMEOUT_MS,
      check: (venue, signal) => venue.call("bitcoin", { signal }),
    });
    return providers.length === 0 ? [] : [{ name, real_money, providers }];
  });
  return liveContracts({ venues, clock });
}
