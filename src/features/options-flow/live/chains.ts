import { LRUCache } from "lru-cache";
import type { Instrument } from "../../../domain/market/market.ts";
import type { OptionChain } from "../../../domain/options-flow/options.ts";
import type { ChainProvider } from "../../../domain/options-flow/provider.ts";
import type { Chains, Clock, DataUnavailable, OptionChainAnswer } from "../../../domain/ports.ts";
import type { Guarded } from "../../../market/failover/guard.ts";
import { resourceOf } from "../../../market/failover/resource.ts";

const MINUTE = 60_000;
/** A fund with daily expiries takes several megabytes. */
const MAX_CACHED_CHAINS = 24;
const FRESH_MS = 5 * MINUTE;
/** Large answers take their time, and the next source tells less for more calls. */
const HEDGE_MS = 6_000;
/** The chain of the session before says something over a weekend. */
const STALE_MS = 72 * 60 * MINUTE;
/** Nearer snapshots tell too little of what traded in between. */
const MIN_SNAPSHOT_GAP_MS = 10 * MINUTE;
/** Symbols of which an earlier snapshot is kept, and how many of each. */
const MAX_SNAPSHOT_SYMBOLS = 200;
const SNAPSHOTS_PER_SYMBOL = 4;

interface ChainOptions {
  readonly providers: readonly Guarded<ChainProvider>[];
  readonly clock: Clock;
  /** Why there is none, where no source is on. */
  readonly missing: DataUnavailable;
}

/** Chains over sources in order, each answer kept for five minutes, with what the chain was some time before. */
export function liveChains({ providers, clock, missing }: ChainOptions): Chains {
  const ask = resourceOf<Instrument, OptionChain>({
    about: ({ symbol }) => `options on ${symbol}`,
    providers,
    clock,
    keyOf: ({ symbol }: Instrument) => symbol,
    freshMs: FRESH_MS,
    staleMs: STALE_MS,
    maxCached: MAX_CACHED_CHAINS,
    hedgeMs: HEDGE_MS,
  });
  const before = new LRUCache<string, readonly OptionChain[]>({ max: MAX_SNAPSHOT_SYMBOLS });

  /** The newest kept snapshot that is old enough; what is new is kept as well. */
  function earlierThan(symbol: string, chain: OptionChain): OptionChain | null {
    const kept = before.get(symbol) ?? [];
    const moment = momentOf(chain);
    const same = kept.filter(({ source, until }) => source === chain.source && until === chain.until);
    const newest = kept.at(-1);
    if (newest === undefined || moment >= momentOf(newest) + MIN_SNAPSHOT_GAP_MS)
      before.set(symbol, [...kept, withoutUntraded(chain)].slice(-SNAPSHOTS_PER_SYMBOL));
    return same.findLast((one) => momentOf(one) <= moment - MIN_SNAPSHOT_GAP_MS) ?? null;
  }

  return {
    ...(providers.length === 0 && { missing: missing.reason }),
    async chain(instrument, { signal } = {}): Promise<OptionChainAnswer | DataUnavailable> {
      if (providers.length === 0) return missing;
      const told = await ask(instrument, signal === undefined ? {} : { signal });
      if (told === null)
        return { untold: "not_covered", reason: `No source has options on ${instrument.symbol}` };
      const { answer: chain, source, fetchedAt, stale, tried } = told;
      return {
        chain,
        earlier: earlierThan(instrument.symbol, chain),
        source,
        fetchedAt: new Date(fetchedAt).toISOString(),
        stale,
        tried,
      };
    },
  };
}

const momentOf = ({ asOf, delayMinutes }: OptionChain): number => Date.parse(asOf) - delayMinutes * MINUTE;

/** The chain without contracts that did not trade: one that is missing is taken to have a volume of none. */
const withoutUntraded = (chain: OptionChain): OptionChain => ({
  ...chain,
  contracts: chain.contracts.filter(({ volume }) => volume !== 0),
});
