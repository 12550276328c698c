import { setTimeout as sleep } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Instrument, Market } from "../../domain/market/market.ts";
import type { CachedOrigin, Disagreement, MarketCache } from "../../domain/market/market-cache-port.ts";
import type {
  Clock,
  Congress,
  Contracts,
  Earnings,
  Log,
  News,
  ProviderHealth,
  Quotes,
  Symbols,
} from "../../domain/ports.ts";
import type { Budget } from "../../domain/providers/price-provider.ts";
import type { Guarded } from "../../market/failover/guard.ts";
import { liveHealth } from "../../market/failover/health.ts";
import { createComparer } from "../../market/prices/compare.ts";
import { type LiveBars, liveHistory } from "../../market/prices/history.ts";
import { liveQuotes } from "../../market/prices/quotes.ts";
import { createLiveDirectory } from "../../market/symbols/live-directory.ts";
import { loadListings, refreshDirectory } from "../../market/symbols/refresh-directory.ts";
import type { CheckResult } from "../../providers/shared/check.ts";
import { listingRepository } from "../../store/market/listings.ts";
import { marketCache } from "../../store/market/market-cache.ts";
import { openVendorCalls } from "../../store/market/vendor-calls.ts";
import type { Schema } from "../../store/schema.ts";
import type { Config } from "../config.ts";
import { PROVIDER_NAMES, PROVIDERS, type ProviderFacts } from "../provider-table.ts";
import { checkProviders, type ProviderCheckOptions } from "./check-providers.ts";
import { listersOf } from "./listings.ts";
import { nonPricePorts } from "./non-price-ports.ts";
import type { OffExchangePorts } from "./off-exchange.ts";
import type { OptionPorts } from "./options.ts";
import { createPeriodicTasks } from "./periodic-tasks.ts";
import { PRICES, priceChains } from "./prices.ts";
import { createProviderFactory } from "./provider-factory.ts";
import { marketId, type ProviderStatus, providerStatusOf } from "./provider-status.ts";

/** The live market: ports over real sources, and what an operator may ask of them. */
export interface LiveMarket extends Pick<OffExchangePorts, "prints" | "offExchange"> {
  readonly market: Market;
  readonly quotes: Quotes;
  readonly bars: LiveBars;
  readonly news: News;
  readonly contracts: Contracts;
  readonly options: OptionPorts;
  readonly earnings: Earnings;
  readonly congress: Congress;
  readonly symbols: Symbols;
  readonly providerHealth: ProviderHealth;
  readonly providers: readonly ProviderStatus[];
  /** Enabled price providers by asset kind, in call order. */
  readonly chains: { readonly us: readonly string[]; readonly crypto: readonly string[] };
  /** Rate limits of each enabled provider, across all kinds of data. */
  readonly budgets: readonly (Budget & { readonly name: string })[];
  disagreements(limit: number): Promise<readonly Disagreement[]>;
  /** Asks every source that is on for what it promises; writes down what it answers where a folder is given. */
  check(
    options: ProviderCheckOptions,
  ): Promise<{ readonly findings: readonly CheckResult[]; readonly written: number }>;
  /** Keeps current what is kept, what is `wanted` of symbols, and the demo where strangers are shown one, until closed. */
  start(work: {
    readonly demo: () => Promise<unknown>;
    readonly wanted: (instrument: Instrument) => void;
  }): void;
  close(): Promise<void>;
}

export interface LiveOptions {
  readonly config: Config;
  readonly db: Kysely<Schema>;
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch?: typeof globalThis.fetch;
}

const HOUR = 3_600_000;
const MINUTE = 60_000;
const UPKEEP_MS = 6 * HOUR;
const QUARTER_MS = 15 * 60_000;
const DEMO_MS = QUARTER_MS;
/** Symbols compared between two providers each night: the benchmarks and the most recently requested. */
const MAX_COMPARED = 40;
/** Between them, so that callers find places in the budgets. */
const PAUSE_MS = 2_000;
const BENCHMARKS = ["SPY", "QQQ", "BTC-USD", "ETH-USD"] as const;
const PROBES = { us: "SPY", crypto: "BTC-USD" } as const;

/** Opens the live market. No provider is called before the first request. */
export async function openLive({
  config,
  db,
  clock,
  log,
  fetch = globalThis.fetch,
}: LiveOptions): Promise<LiveMarket> {
  const now = () => clock.now().getTime();
  const id = marketId(config);
  const memory = marketCache({ db, market: id, log, clock });
  const book = listingRepository(db, id);
  const directory = createLiveDirectory({ listings: await loadListings(book, log) });
  const openedAt = now();
  const calls = await openVendorCalls({ db, log }, now() - 24 * HOUR);
  const kit = createProviderFactory(config, { fetch, clock, calls });
  const { us, crypto, all } = priceChains(kit);
  const chain = ({ asset_class }: Instrument) => (asset_class === "crypto" ? crypto : us);
  const names = new Set(all.map(nameOf));
  const lent = { chain, memory: restrictedTo(memory, names), clock };
  const quotes = liveQuotes({ ...lent, compare: createComparer(lent) });
  const lentBeside = { log, db, market: id, memory, symbols: directory.symbols };
  const ports = nonPricePorts(kit, lentBeside);
  const { options, congress, refresher: keeper, dated, offExchange } = ports;
  const known = (symbol: string) => directory.symbols.resolve(symbol).instrument;
  const rounds = createPeriodicTasks(log);

  const refresh = () =>
    refreshDirectory({
      ...listersOf(config, fetch),
      store: book,
      apply: directory.replace,
      clock,
      log,
      since: openedAt,
      signal: rounds.signal,
    });

  /** Does something about symbols, one after the other and not in a hurry. */
  async function unhurried(
    names: Iterable<string>,
    about: (one: Instrument) => Promise<unknown>,
  ): Promise<void> {
    for (const name of new Set(names)) {
      if (rounds.signal.aborted) return;
      const found = directory.symbols.find(name);
      if (found !== null) await about(found.instrument).catch(() => undefined);
      await sleep(PAUSE_MS, undefined, { signal: rounds.signal, ref: false }).catch(() => undefined);
    }
  }
  const recent = () => memory.recentSymbols(now() - 24 * HOUR, MAX_COMPARED);
  const followed = async () => [...BENCHMARKS, ...(await recent())];

  const demoFor = kit.connected().some(isPrivate) ? "never" : "beforehand";
  return {
    market: { mode: "live", id, demo: PROBES.us, demoFor },
    quotes,
    bars: liveHistory(lent),
    prints: offExchange.prints,
    offExchange: offExchange.offExchange,
    news: ports.news,
    contracts: ports.contracts,
    earnings: dated.earnings,
    congress,
    options,
    symbols: directory.symbols,
    providerHealth: liveHealth({
      guards: all,
      otherProviders: kit.connected().filter(({ content: of }) => of !== PRICES),
      clock,
      probe: ({ provider: source }) => known(source.serves.has("etf") ? PROBES.us : PROBES.crypto),
    }),
    providers: PROVIDER_NAMES.map((name) => providerStatusOf(name, config)),
    chains: { us: us.map(nameOf), crypto: crypto.map(nameOf) },
    budgets: kit.budgets(),
    disagreements: (limit) => memory.disagreements(limit),
    check: (asked) => checkProviders(asked, { ...lentBeside, config, fetch, clock, calls, known }),
    start({ demo, wanted }) {
      const { every, signal } = rounds;
      every(UPKEEP_MS, refresh);
      every(UPKEEP_MS, offExchange.warm, MINUTE);
      if (demoFor === "beforehand") every(DEMO_MS, demo);
      const compare = (one: Instrument) => quotes.latest(one, { verify: true, signal: signal });
      every(24 * HOUR, async () => unhurried(await followed(), compare), HOUR);
      every(QUARTER_MS, async () => options.saveChains(await recent(), signal), QUARTER_MS);
      every(HOUR, async () => unhurried(await followed(), async (one) => wanted(one)), QUARTER_MS);
      every(6 * HOUR, () => options.savePutCalls(signal), QUARTER_MS / 3);
      every(UPKEEP_MS, keeper.refreshAll, HOUR / 30);
      every(HOUR / 2, dated.upkeep(signal), HOUR / 2);
    },
    async close() {
      await rounds.close();
      await keeper.close();
      await calls.close();
      await memory.close();
    },
  };
}

const nameOf = ({ provider: source }: Guarded): string => source.name;

/** What a key of the operator's own opened is not for strangers to see. */
function isPrivate({ name }: { readonly name: string }): boolean {
  const vendor = PROVIDER_NAMES.find((one) => one === name);
  if (vendor === undefined) return false;
  const { setting, publicDomain = false }: ProviderFacts = PROVIDERS[vendor];
  return setting !== null && !publicDomain;
}

/** The memory without what a source said that is switched off now. */
function restrictedTo(memory: MarketCache, sources: ReadonlySet<string>): MarketCache {
  const connected = <T extends CachedOrigin>(kept: T | null) =>
    kept === null || sources.has(kept.source) ? kept : null;
  return {
    ...memory,
    quote: async (symbol) => connected(await memory.quote(symbol)),
    bars: async (symbol, timeframe) => connected(await memory.bars(symbol, timeframe)),
  };
}
