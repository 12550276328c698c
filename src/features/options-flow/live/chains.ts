import type { Instrument } from "../../../domain/market/market.ts";
import type { OptionChain } from "../../../domain/options-flow/options.ts";
import type { ChainProvider } from "../../../domain/options-flow/provider.ts";
import type { Chains, Clock, DataUnavailable, OptionChainAnswer } from "../../../domain/ports.ts";
import { createBoundedCache } from "../../../lib/bounded-cache.ts";
import type { Guarded } from "../../../market/failover/guard.ts";
import { type ResourceOptions, resourceOf } from "../../../market/failover/resource.ts";
import { originOf } from "./flow-tape.ts";

const MINUTE = 60_000;
/** Maximum number of cached chains: a fund with daily expiries takes several megabytes. */
const MAX_CACHED_CHAINS = 24;
const FRESH_MS = 5 * MINUTE;
/**
 * Delay before the next provider is tried, ms: large answers are slow, and the next provider needs more calls for less
 * data.
 */
const HEDGE_MS = 6_000;
/** Maximum age of a stale chain, ms: the previous session's chain stays useful over a weekend. */
const STALE_MS = 72 * 60 * MINUTE;
/** Minimum gap between compared snapshots, ms: closer ones show too few trades. */
const MIN_SNAPSHOT_GAP_MS = 10 * MINUTE;
/** Maximum number of symbols with earlier snapshots, and of snapshots per symbol. */
const MAX_SNAPSHOT_SYMBOLS = 200;
const SNAPSHOTS_PER_SYMBOL = 4;

interface ChainOptions extends Pick<ResourceOptions<never, never>, "settings"> {
  readonly providers: readonly Guarded<ChainProvider>[];
  readonly clock: Clock;
  /** Reason returned if no provider is enabled. */
  readonly missing: DataUnavailable;
}

/**
 * Creates the port for option chains: from the first available provider, cached for five minutes, with an earlier
 * snapshot for comparison.
 */
export function liveChains({ providers, clock, missing, settings = {} }: ChainOptions): Chains {
  const fetchChain = resourceOf<Instrument, OptionChain>({
    about: ({ symbol }) => `options on ${symbol}`,
    providers,
    clock,
    settings,
    keyOf: ({ symbol }) => symbol,
    freshMs: FRESH_MS,
    staleMs: STALE_MS,
    maxCached: MAX_CACHED_CHAINS,
    hedgeMs: HEDGE_MS,
  });
  const before = createBoundedCache<string, readonly OptionChain[]>({
    name: "option chains before",
    max: MAX_SNAPSHOT_SYMBOLS,
  });

  /**
   * Returns the newest snapshot of the same provider that is at least 10 minutes older than the chain; stores the chain
   * at most every 10 minutes.
   */
  function earlierThan(symbol: string, chain: OptionChain): OptionChain | null {
    const snapshots = before.get(symbol) ?? [];
    const moment = momentOf(chain);
    const same = snapshots.filter(({ source, until }) => source === chain.source && until === chain.until);
    const newest = snapshots.at(-1);
    if (newest === undefined || moment >= momentOf(newest) + MIN_SNAPSHOT_GAP_MS)
      before.set(symbol, [...snapshots, withoutUntraded(chain)].slice(-SNAPSHOTS_PER_SYMBOL));
    return same.findLast((one) => momentOf(one) <= moment - MIN_SNAPSHOT_GAP_MS) ?? null;
  }

  return {
    ...(providers.length === 0 && { missing: missing.reason }),
    async chain(instrument, { signal } = {}): Promise<OptionChainAnswer | DataUnavailable> {
      if (providers.length === 0) return missing;
      const chainAnswer = await fetchChain(instrument, { signal });
      if (chainAnswer === null)
        return { unavailable: "not_covered", reason: `No provider has options on ${instrument.symbol}` };
      const { answer: chain } = chainAnswer;
      return { chain, earlier: earlierThan(instrument.symbol, chain), ...originOf(chainAnswer) };
    },
  };
}

const momentOf = ({ asOf, delayMinutes }: OptionChain): number => Date.parse(asOf) - delayMinutes * MINUTE;

/** Returns the chain without contracts that did not trade; a missing contract counts as volume 0. */
const withoutUntraded = (chain: OptionChain): OptionChain => ({
  ...chain,
  contracts: chain.contracts.filter(({ volume }) => volume !== 0),
});
