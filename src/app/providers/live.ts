import { setTimeout as sleep } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Windows } from "../../domain/accounts/windows-port.ts";
import type { BarTimeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { CachedOrigin, MarketCache } from "../../domain/market/market-cache-port.ts";
import { noPeers, type Peers } from "../../domain/peers-port.ts";
import type { Clock, Log, Ports } from "../../domain/ports.ts";
import type { Budget } from "../../domain/providers/price-provider.ts";
import type { Tracer } from "../../domain/tracing-port.ts";
import { createCallCounter } from "../../lib/call-count.ts";
import type { Guarded } from "../../market/failover/guard.ts";
import { liveHealth } from "../../market/failover/health.ts";
import { checkedQuotes } from "../../market/prices/checked-quotes.ts";
import { withVolume } from "../../market/prices/fill-volume.ts";
import { liveHistory } from "../../market/prices/history.ts";
import type { LiveBars } from "../../market/prices/layout-history.ts";
import { liveQuotes } from "../../market/prices/quotes.ts";
import { createLiveDirectory } from "../../market/symbols/directory.ts";
import { loadListings, refreshDirectory } from "../../market/symbols/refresh-directory.ts";
import { listingRepository } from "../../store/market/listings.ts";
import { marketCache } from "../../store/market/market-cache.ts";
import { openProviderRequestLog } from "../../store/market/provider-calls.ts";
import type { Schema } from "../../store/schema.ts";
import type { LiveProviders } from "../../transports/cli/host.ts";
import type { Config } from "../config.ts";
import { PROVIDER_NAMES } from "../provider-table.ts";
import { checkProviders } from "./check-providers.ts";
import { type DemoPorts, demoPorts } from "./demo-ports.ts";
import { withTerms } from "./health-terms.ts";
import { indicesPort } from "./indices.ts";
import { listersOf } from "./listings.ts";
import { nonPricePorts } from "./non-price-ports.ts";
import type { OptionPorts } from "./options.ts";
import { createPeriodicTasks } from "./periodic-tasks.ts";
import { closeProviders, intradayAdvice, PRICES, priceChains } from "./prices.ts";
import { createProviderFactory } from "./provider-factory.ts";
import { marketId, providerStatusOf } from "./provider-status.ts";
import { familyOf } from "./provider-terms.ts";
import { createQuoteStreams } from "./quote-streams.ts";
import { mayBeRepublished } from "./switched-off.ts";

export type MarketPorts = Pick<
  Ports,
  | "market"
  | "symbols"
  | "quotes"
  | "bars"
  | "indices"
  | "prints"
  | "news"
  | "earnings"
  | "offExchange"
  | "shortInterest"
  | "marketEvents"
  | "contracts"
  | "congress"
  | "company"
  | "providerHealth"
  | "chains"
  | "flowTape"
  | "putCalls"
> &
  Partial<Pick<Ports, "flowDays" | "quoteStreams">>;

/** The live market: ports over real providers, and what an operator can inspect. */
export interface LiveMarket extends LiveProviders {
  readonly ports: MarketPorts;
  /** Ports that replace those of the market while the public demo is computed. */
  readonly demoPorts: DemoPorts;
  readonly bars: LiveBars;
  readonly options: OptionPorts;
  /** Settings that would make the market more reliable, one sentence each. */
  readonly advice: readonly string[];
  /** Rate limits of each enabled provider, across all kinds of data. */
  readonly budgets: readonly (Budget & { readonly name: string })[];
  /** Returns a number that grows whenever the data of a provider may have changed. */
  changes(): number;
  /** Starts the periodic tasks, and connects to the price streams for all processes; returns a function that ends both. */
  start(tasks: {
    /** Prepares the public demo. */
    readonly demo: () => Promise<unknown>;
    /** Requests a snapshot of the prediction markets of a symbol. */
    readonly requestSnapshot: (instrument: Instrument) => void;
  }): () => Promise<void>;
  close(): Promise<void>;
}

export interface LiveOptions {
  readonly config: Config;
  readonly db: Kysely<Schema>;
  /** For what the periodic tasks write about the listings. */
  readonly backgroundDb: Kysely<Schema>;
  readonly clock: Clock;
  readonly log: Log;
  /** Records each request to a provider. Default: none is recorded. */
  readonly tracer?: Tracer | undefined;
  readonly fetch: typeof globalThis.fetch;
  /** Number of processes that share the rate limits of the providers. Default: 1. */
  readonly processes?: number;
  /** Other processes, among which only the leader connects to price streams. Default: none. */
  readonly peers?: Peers;
  /** Windows in which all servers on one database count their requests to providers. Default: each has its share. */
  readonly windows?: Windows | undefined;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Maximum number of recently requested symbols that a background task covers. */
const MAX_COMPARED = 40;
/** Pause between two symbols of a background task, ms; leaves room for callers within the rate limits. */
const PAUSE_MS = 2_000;
const BENCHMARKS = ["SPY", "QQQ", "BTC-USD", "ETH-USD"] as const;
const PROBES = { us: "SPY", crypto: "BTC-USD" } as const;

/** Opens the live market. No provider is called before the first request. */
export async function openLive({
  config,
  db,
  backgroundDb,
  clock,
  log,
  fetch,
  processes = 1,
  peers = noPeers,
  tracer,
  windows,
}: LiveOptions): Promise<LiveMarket> {
  const now = () => clock.now().getTime();
  const openedAt = now();
  const id = marketId(config);
  const memory = marketCache({ db, market: id, log, clock });
  const listings = listingRepository(backgroundDb, id);
  const directory = createLiveDirectory({ listings: await loadListings(listings, log) });
  const { symbols } = directory;
  const calls = await openProviderRequestLog({ db, log }, openedAt - DAY);
  const callCounter = createCallCounter();
  const factory = createProviderFactory(config, {
    fetch: callCounter.watch(fetch),
    clock,
    calls,
    processes,
    tracer,
    windows,
  });
  const { us, crypto, all } = priceChains(factory);
  const enabled = new Set(all.map(nameOf));
  const priceDeps = {
    chain: ({ asset_class }: Instrument) => (asset_class === "crypto" ? crypto : us),
    memory: restrictedTo(memory, enabled),
    clock,
    familyOf,
  };
  const quoteDeps = checkedQuotes(priceDeps, closeProviders(factory));
  const { witness } = quoteDeps.checks;
  const find = (symbol: string) => symbols.find(symbol)?.instrument ?? null;
  const streams = createQuoteStreams(config, { enabled, clock, log, witness, peers, find });
  const advice = intradayAdvice(us);
  const barsAdvice = ({ asset_class }: Instrument, timeframe: BarTimeframe) =>
    asset_class === "crypto" || timeframe === "1d" ? null : advice;
  const bars = liveHistory({ ...priceDeps, barsAdvice });
  const allQuotes = liveQuotes({ ...quoteDeps, streams });
  const indices = indicesPort(factory, (names) => restrictedTo(memory, names));
  const quotes = { ...withVolume(allQuotes, priceDeps), countCalls: callCounter.count };
  const dataDeps = { log, db, market: id, memory, symbols };
  const { news, contracts, options, offExchange, shortInterest, marketEvents, earnings, congress, company } =
    nonPricePorts(factory, dataDeps);
  const known = (symbol: string) => symbols.resolve(symbol).instrument;

  const refreshListings = (signal: AbortSignal) =>
    refreshDirectory({
      ...listersOf(config, fetch),
      store: listings,
      apply: directory.replace,
      clock,
      log,
      since: openedAt,
      signal,
    });

  /** Runs work for each symbol, one after the other with a pause in between. */
  async function forEachSlowly(
    names: Iterable<string>,
    signal: AbortSignal,
    work: (instrument: Instrument) => Promise<unknown>,
  ): Promise<void> {
    for (const name of new Set(names)) {
      if (signal.aborted) return;
      const found = symbols.find(name);
      if (found !== null) await work(found.instrument).catch(() => undefined);
      await sleep(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
  const recent = () => memory.recentSymbols(now() - DAY, MAX_COMPARED);
  const followed = async () => [...BENCHMARKS, ...(await recent())];

  const providers = PROVIDER_NAMES.map((name) => providerStatusOf(name, config));
  const otherProviders = factory.connected().filter(({ content }) => content !== PRICES);
  const isShown = ({ provider }: Guarded) => mayBeRepublished(provider.name);
  const market = {
    mode: "live",
    id,
    demo: us.some(isShown) ? PROBES.us : PROBES.crypto,
    demoFor: all.some(isShown) ? "beforehand" : "never",
    ...(providers.some(({ replacementUrl }) => replacementUrl !== null) && ({ replaced: true } as const)),
  } as const;
  return {
    demoPorts: demoPorts(factory, {
      chain: (instrument) => priceDeps.chain(instrument).filter(isShown),
      memory: restrictedTo(memory, new Set(all.filter(isShown).map(nameOf))),
      clock,
      familyOf,
    }),
    ports: {
      market,
      symbols,
      quotes,
      quoteStreams: streams,
      bars,
      indices,
      news,
      contracts,
      prints: offExchange.prints,
      offExchange: offExchange.offExchange,
      shortInterest,
      marketEvents,
      earnings: earnings.earnings,
      congress: congress.congress,
      company,
      chains: options.chains,
      flowTape: options.flowTape,
      flowDays: options.flowDays,
      putCalls: options.putCalls,
      providerHealth: withTerms(
        liveHealth({
          guards: all,
          otherProviders,
          clock,
          probe: ({ provider }) => known(provider.serves.has("etf") ? PROBES.us : PROBES.crypto),
        }),
      ),
    },
    bars,
    options,
    providers,
    priceProviders: { us: us.map(nameOf), crypto: crypto.map(nameOf) },
    budgets: factory.budgets(),
    changes: factory.changes,
    wireNotes: factory.wireNotes,
    advice: advice === null ? [] : [advice],
    disagreements: (limit) => memory.disagreements(limit),
    check: (request) => checkProviders(request, { ...dataDeps, config, fetch, clock, calls, known }),
    start({ demo, requestSnapshot }) {
      const { every, signal, close } = createPeriodicTasks(log);
      const endStreams = streams.lead();
      const compare = (instrument: Instrument) => quotes.latest(instrument, { verify: true, signal });
      every(6 * HOUR, () => refreshListings(signal));
      every(6 * HOUR, offExchange.warm, MINUTE);
      if (market.demoFor === "beforehand") every(15 * MINUTE, demo);
      every(DAY, async () => forEachSlowly(await followed(), signal, compare), HOUR);
      every(15 * MINUTE, async () => options.saveChains(await recent(), signal), 15 * MINUTE);
      every(
        HOUR,
        async () =>
          forEachSlowly(await followed(), signal, async (instrument) => requestSnapshot(instrument)),
        15 * MINUTE,
      );
      every(6 * HOUR, () => options.savePutCalls(signal), 5 * MINUTE);
      every(6 * HOUR, congress.refresher.refreshAll, 2 * MINUTE);
      every(30 * MINUTE, earnings.createRefresh(signal), 30 * MINUTE);
      return async () => {
        endStreams();
        await close();
      };
    },
    async close() {
      streams.close();
      await congress.refresher.close();
      for (const { guarded } of factory.connected()) guarded.abortOvertaken();
      await calls.close();
      await memory.close();
    },
  };
}

const nameOf = ({ provider }: Guarded): string => provider.name;

/** Returns the cache without the entries of providers that are not enabled now. */
function restrictedTo(memory: MarketCache, names: ReadonlySet<string>): MarketCache {
  const ifConnected = <T extends CachedOrigin>(cached: T | null) =>
    cached === null || names.has(cached.source) ? cached : null;
  return {
    ...memory,
    quote: async (symbol) => ifConnected(await memory.quote(symbol)),
    bars: async (symbol, timeframe) => ifConnected(await memory.bars(symbol, timeframe)),
  };
}
