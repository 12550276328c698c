import { type Config, urlSettingOf } from "./config.ts";
import { type ContractProvider, liveContracts } from "./market/live/contracts.ts";
import { type GuardOptions, guard } from "./market/live/guard.ts";
import type { Contracts } from "./ports/index.ts";
import { kalshiContracts } from "./providers/kalshi/contracts.ts";
import { manifoldContracts } from "./providers/manifold/contracts.ts";
import { polymarketContracts } from "./providers/polymarket/contracts.ts";
import type { SourceSetup } from "./providers/wire.ts";
import type { VendorName } from "./vendors.ts";

/** Answers are whole pages of events, of half a megabyte. */
const TIMEOUT_MS = 5_000;

type Make = (setup: SourceSetup & { readonly now: () => number }) => ContractProvider;

/** The venues of prediction markets, those of real money first. */
const VENUES: readonly {
  readonly name: VendorName;
  readonly real_money: boolean;
  readonly make: Make;
}[] = [
  { name: "polymarket", real_money: true, make: polymarketContracts },
  { name: "kalshi", real_money: true, make: kalshiContracts },
  { name: "manifold", real_money: false, make: manifoldContracts },
];

/** Prediction markets over the venues that are not switched off. No venue is called before somebody asks. */
export function contractsOf(config: Config, { fetch, clock }: GuardOptions): Contracts {
  const now = () => clock.now().getTime();
  const on = VENUES.filter(({ name }) => !config.PROVIDERS_OFF.includes(name));
  const venues = on.map(({ name, real_money, make }) => ({
    name,
    real_money,
    providers: [
      guard((lent) => make({ ...lent, now, baseUrl: config[urlSettingOf(name)] }), {
        fetch,
        clock,
        timeoutMs: TIMEOUT_MS,
      }),
    ],
  }));
  return liveContracts({ venues, clock });
}
