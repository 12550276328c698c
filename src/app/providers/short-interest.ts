import type { ShortInterestProvider } from "../../domain/short-interest/provider.ts";
import type { ShortInterest } from "../../domain/short-interest/short-interest-port.ts";
import { liveShortInterest } from "../../features/short-interest/live/short-interest.ts";
import { finraShortInterest } from "../../providers/finra/short-interest.ts";
import { NO_SHORT_INTEREST } from "./not-connected.ts";
import { PROBE_STOCK } from "./probe-stock.ts";
import type { ProviderFactory, ProviderOptions } from "./provider-factory.ts";

const TIMEOUT_MS = 8_000;

/** Creates the port for short interest, from FINRA without a key. */
export function shortInterestPort({ create, clock }: ProviderFactory): ShortInterest {
  const options: ProviderOptions<ShortInterestProvider> = {
    content: "short interest",
    timeoutMs: TIMEOUT_MS,
    check: (provider, signal) => provider.call({ instrument: PROBE_STOCK }, { signal }),
  };
  return liveShortInterest({
    providers: create("finra", finraShortInterest, options),
    clock,
    missing: NO_SHORT_INTEREST,
  });
}
