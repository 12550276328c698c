import { setTimeout as sleep } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Config } from "../config.ts";
import type { Instrument, Market } from "../domain/market.ts";
import { ToolError } from "../kernel/errors.ts";
import { comparing } from "../market/live/compare.ts";
import type { Guarded } from "../market/live/guard.ts";
import { liveHealth } from "../market/live/health.ts";
import { type LiveBars, liveHistory } from "../market/live/history.ts";
import { liveQuotes } from "../market/live/quotes.ts";
import type { Budget } from "../market/live/source.ts";
import { createLiveDirectory } from "../market/live-directory.ts";
import { keptListings, refreshDirectory } from "../market/refresh-directory.ts";
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
} from "../ports/index.ts";
import type { Disagreement, MarketMemory, SaidBy } from "../ports/market-memory.ts";
import { checkSource, type Finding } from "../providers/check.ts";
import { listingBook } from "../store/listings.ts";
import { marketMemory } from "../store/market-memory.ts";
import type { Schema } from "../store/schema.ts";
import { openVendorCalls } from "../store/vendor-calls.ts";
import { VENDOR_NAMES, VENDORS, type VendorFacts } from "../vendors.ts";
import { besidePrices } from "./beside-prices.ts";
import { checkAnswer } from "./check-answer.ts";
import { factsOf, marketId, recordingInto, type SourceFacts } from "./facts.ts";
import { sourceKit } from "./kit.ts";
import { listersOf } from "./listings.ts";
import type { OffExchangePorts } from "./off-exchange.ts";
import type { OptionPorts } from "./options.ts";
import { PRICES, priceChains } from "./prices.ts";

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
  readonly sources: readonly SourceFacts[];
  /** Sources that are on, by what they price, in the order in which they are asked. */
  readonly chains: { readonly us: readonly string[]; readonly crypto: readonly string[] };
  /** How often each vendor that is on may be called, whatever it is asked for. */
  readonly budgets: readonly (Budget & { readonly name: string })[];
  disagreements(limit: number): Promise<readonly Disagreement[]>;
  /** Asks every source that is on for what it promises; writes down what it answers where a folder is given. */
  check(options: {
    readonly record: string | null;
    readonly signal: AbortSignal;
    /** Hears of each source before it is asked. */
    readonly asking?: (whom: string) => void;
  }): Promise<{ readonly findings: readonly Finding[]; readonly written: number }>;
  /** Keeps current what is kept, what is `wanted` of symbols, and the demo where strangers are shown one, until closed. */
  tend(work: {
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
/** Symbols compared between two sources each night: the benchmarks and those asked for most recently. */
const COMPARED = 40;
/** Between them, so that callers find places in the budgets. */
const PAUSE_MS = 2_000;
/** How long a round of upkeep may take to end. */
const ENDING_MS = 2_000;
/** How long a source may keep us waiting for a place when it is checked. */
const UNHURRIED_MS = 90_000;
const BENCHMARKS = ["SPY", "QQQ", "BTC-USD", "ETH-USD"] as const;
const PROBES = { us: "SPY", crypto: "BTC-USD" } as const;
const CHECKED = { us: ["AAPL", "SPY", "BRK.B"], crypto: ["BTC-USD", "ETH-USD"] } as const;

/** Opens the live market. No vendor is called before somebody asks. */
export async function openLive({
  config,
  db,
  clock,
  log,
  fetch = globalThis.fetch,
}: LiveOptions): Promise<LiveMarket> {
  const now = () => clock.now().getTime();
  const id = marketId(config);
  const memory = marketMemory({ db, market: id, log, clock });
  const book = listingBook(db, id);
  const directory = createLiveDirectory({ listings: await keptListings(book, log) });
  const openedAt = now();
  const calls = await openVendorCalls({ db, log }, now() - 24 * HOUR);
  const kit = sourceKit(config, { fetch, clock, calls });
  const { us, crypto, all } = priceChains(kit);
  const chain = ({ asset_class }: Instrument) => (asset_class === "crypto" ? crypto : us);
  const names = new Set(all.map(nameOf));
  const lent = { chain, memory: onlyOf(memory, names), clock };
  const quotes = liveQuotes({ ...lent, compare: comparing(lent) });
  const ports = besidePrices(kit, { log, db, market: id, memory, symbols: directory.symbols });
  const { options, congress, keeper, dated, offExchange } = ports;
  const known = (symbol: string) => directory.symbols.resolve(symbol).instrument;
  const stop = new AbortController();
  const timers = new Set<ReturnType<typeof setInterval>>();
  const rounds = new Set<Promise<unknown>>();

  const refresh = () =>
    refreshDirectory({
      ...listersOf(config, fetch),
      store: book,
      apply: directory.replace,
      clock,
      log,
      since: openedAt,
      signal: stop.signal,
    });

  /** Does something about symbols, one after the other and not in a hurry. */
  async function unhurried(
    names: Iterable<string>,
    about: (one: Instrument) => Promise<unknown>,
  ): Promise<void> {
    for (const name of new Set(names)) {
      if (stop.signal.aborted) return;
      const found = directory.symbols.find(name);
      if (found !== null) await about(found.instrument).catch(() => undefined);
      await sleep(PAUSE_MS, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  }
  const recent = () => memory.asked(now() - 24 * HOUR, COMPARED);
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
      others: kit.connected().filter(({ of }) => of !== PRICES),
      clock,
      probe: ({ source }) => known(source.serves.has("etf") ? PROBES.us : PROBES.crypto),
    }),
    sources: VENDOR_NAMES.map((name) => factsOf(name, config)),
    chains: { us: us.map(nameOf), crypto: crypto.map(nameOf) },
    budgets: kit.budgets(),
    disagreements: (limit) => memory.disagreements(limit),
    async check({ record, signal, asking = () => {} }) {
      const findings: Finding[] = [];
      let written = 0;
      const recording =
        record === null ? null : recordingInto(record, { fetch, config, wrote: () => (written += 1) });
      const asked = new Set<Promise<unknown>>();
      let ended = false;
      const writing: typeof fetch = async (...call) => {
        if (recording === null) return fetch(...call);
        // half of a question whose other half was refused may still have waited for its turn
        if (ended) throw new Error("the check has ended");
        const answer = recording(...call);
        asked.add(answer);
        return answer;
      };
      const checked = sourceKit(config, { fetch: writing, clock, unhurriedMs: UNHURRIED_MS, calls });
      const priced = priceChains(checked).all;
      besidePrices(checked, { log, db, market: id, memory, symbols: directory.symbols });
      const others = checked.connected().filter(({ check }) => check !== null);
      const count = priced.length + others.length;
      for (const [nth, { source }] of priced.entries()) {
        asking(`${source.name} prices (${nth + 1} of ${count})`);
        const names = [
          ...(source.serves.has("equity") ? CHECKED.us : []),
          ...(source.serves.has("crypto") ? CHECKED.crypto : []),
        ];
        findings.push(...(await checkSource(source, { instruments: names.map(known), signal, now })));
        if (signal.aborted) break;
      }
      for (const [nth, one] of others.entries()) {
        if (signal.aborted) break;
        asking(`${one.name} ${one.of} (${priced.length + nth + 1} of ${count})`);
        findings.push(await checkAnswer(one, { signal, now }));
      }
      ended = true;
      await Promise.allSettled(asked); // one that was given up is written down as it ends
      return { findings, written };
    },
    tend({ demo, wanted }) {
      const every = (ms: number, work: () => Promise<unknown>, first = 0) => {
        const run = () => {
          const round = work()
            .catch((cause: unknown) => stop.signal.aborted || log.warn("upkeep", reasonOf(cause)))
            .finally(() => rounds.delete(round));
          rounds.add(round);
        };
        const begin = () => {
          run();
          timers.add(setInterval(run, ms).unref());
        };
        if (first === 0) begin();
        else timers.add(setTimeout(begin, first).unref());
      };
      every(UPKEEP_MS, refresh);
      every(UPKEEP_MS, offExchange.warm, MINUTE);
      if (demoFor === "beforehand") every(DEMO_MS, demo);
      const compare = (one: Instrument) => quotes.latest(one, { verify: true, signal: stop.signal });
      every(24 * HOUR, async () => unhurried(await followed(), compare), HOUR);
      every(QUARTER_MS, async () => options.keepChains(await recent(), stop.signal), QUARTER_MS);
      every(HOUR, async () => unhurried(await followed(), async (one) => wanted(one)), QUARTER_MS);
      every(6 * HOUR, () => options.keepPutCalls(stop.signal), QUARTER_MS / 3);
      every(UPKEEP_MS, keeper.refreshAll, HOUR / 30);
      every(HOUR / 2, dated.upkeep(stop.signal), HOUR / 2);
    },
    async close() {
      stop.abort();
      for (const timer of timers) clearInterval(timer);
      const ended = new AbortController();
      // what writes a last row needs the store still
      await Promise.race([
        Promise.allSettled(rounds),
        sleep(ENDING_MS, undefined, { signal: ended.signal }).catch(() => undefined),
      ]);
      ended.abort();
      await keeper.close();
      await calls.close();
      await memory.close();
    },
  };
}

const nameOf = ({ source }: Guarded): string => source.name;

/** What a key of the operator's own opened is not for strangers to see. */
function isPrivate({ name }: { readonly name: string }): boolean {
  const vendor = VENDOR_NAMES.find((one) => one === name);
  if (vendor === undefined) return false;
  const { setting, publicDomain = false }: VendorFacts = VENDORS[vendor];
  return setting !== null && !publicDomain;
}

/** The memory without what a source said that is switched off now. */
function onlyOf(memory: MarketMemory, sources: ReadonlySet<string>): MarketMemory {
  const connected = <T extends SaidBy>(kept: T | null) =>
    kept === null || sources.has(kept.source) ? kept : null;
  return {
    ...memory,
    quote: async (symbol) => connected(await memory.quote(symbol)),
    bars: async (symbol, timeframe) => connected(await memory.bars(symbol, timeframe)),
  };
}

/** A failure of a source is an event, told in its own words; of anything else we want to know where it broke. */
const reasonOf = (cause: unknown) =>
  cause instanceof ToolError ? { code: cause.code, reason: cause.message } : { cause };
