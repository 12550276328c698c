import { join } from "node:path";
import type { Windows } from "../domain/accounts/windows-port.ts";
import type { Market } from "../domain/market/market.ts";
import type { Peers } from "../domain/peers-port.ts";
import type { BarHistory, Clock, Log, Quotes, Symbols } from "../domain/ports.ts";
import type { Tracer } from "../domain/tracing-port.ts";
import type { ReplayedRecords } from "../features/track-record/replayed-record.ts";
import { SetupError } from "../lib/setup-error.ts";
import { createHealth } from "../market/health.ts";
import { createDirectory } from "../market/symbols/directory.ts";
import { type ImportOptions, importFiles } from "../providers/files/import.ts";
import { type FilesReport, openFiles } from "../providers/files/open.ts";
import { sampleMarket } from "../providers/sample/market.ts";
import type { Recordings } from "../providers/sample/recordings.ts";
import { replayedOdds, replayedRecord } from "../providers/sample/replayed-record.ts";
import type { Store } from "../store/store.ts";
import type { Config } from "./config.ts";
import type { LiveMarket, MarketPorts } from "./providers/live.ts";
import {
  noCompany,
  noCongress,
  noContracts,
  noEarnings,
  noIndices,
  noMarketEvents,
  noNews,
  noOffExchange,
  noOptions,
  noPrints,
  noShortInterest,
} from "./providers/not-connected.ts";

interface OpenMarket {
  /** `flowDays` is absent if the store provides it. */
  readonly ports: MarketPorts;
  /** Status of the folder of CSV files; null in other markets. */
  readonly report: (() => FilesReport) | null;
  readonly live: LiveMarket | null;
  /** Returns the records of a model that come with the market. */
  readonly replayedRecords: (model: string) => ReplayedRecords;
}

const noReplayedRecords = (): ReplayedRecords => ({ record: () => null, odds: () => null });

interface MarketDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Store;
  readonly fetch: typeof globalThis.fetch;
  /** Number of processes that share the rate limits of the providers. */
  readonly processes: number;
  readonly peers: Peers;
  readonly tracer: Tracer | undefined;
  /** Windows of all servers on one database of PostgreSQL. */
  readonly windows: Windows;
  readonly recordings: Recordings | undefined;
}

/** Opens the market that the settings choose: simulated, a folder of files, or live. */
export async function openMarket(
  config: Config,
  { clock, log, store, fetch, processes, peers, windows, tracer, recordings }: MarketDeps,
): Promise<OpenMarket> {
  const { MARKET_DATA } = config;
  if (MARKET_DATA === "live") {
    // loaded only for live prices: it imports every provider
    const { openLive } = await import("./providers/live.ts");
    const live = await openLive({
      config,
      ...store,
      clock,
      log,
      fetch,
      processes,
      peers,
      // with SQLite, the processes of the one server have shares
      windows: store.replicas === null ? undefined : windows,
      tracer,
    });
    return { ports: live.ports, report: null, live, replayedRecords: noReplayedRecords };
  }
  const health = createHealth(clock);
  const watched = (name: string, quotes: Quotes, bars: BarHistory) => ({
    quotes: health.quotes(name, quotes),
    bars: health.bars(name, bars),
    providerHealth: health.providerHealth,
  });
  if (MARKET_DATA === "sample") {
    const { members, ...sample } = sampleMarket({ clock, recordings });
    const prices = watched("sample", sample.quotes, sample.bars);
    const symbols = createDirectory({ members });
    return {
      ports: { ...sample, ...prices, symbols, indices: noIndices() },
      report: null,
      live: null,
      replayedRecords: (model) => {
        const request = () => ({ market: sample.market.id, model, now: clock.now().getTime() });
        return { record: () => replayedRecord(request()), odds: () => replayedOdds(request()) };
      },
    };
  }
  const files = await openFiles({ dir: MARKET_DATA.slice("files:".length), clock });
  const ports: MarketPorts = {
    market: {
      mode: "files",
      id: files.marketId,
      get content() {
        return files.contentId;
      },
      notes: files.notes,
      memberships: files.memberships,
    },
    symbols: createDirectory({ members: files.members }),
    ...watched("files", files.quotes, files.bars),
    indices: noIndices(),
    prints: noPrints,
    news: noNews,
    offExchange: noOffExchange,
    shortInterest: noShortInterest,
    marketEvents: noMarketEvents,
    earnings: noEarnings,
    contracts: noContracts,
    congress: noCongress,
    company: noCompany,
    ...noOptions,
  };
  return { ports, report: files.report, live: null, replayedRecords: noReplayedRecords };
}

/** Reads CSV files and stores their bars in a folder. Default: `bars` in the data folder. */
export async function importBars(
  config: Config,
  {
    from,
    symbol,
    into = join(config.DATA_DIR, "bars"),
    progress,
  }: Omit<ImportOptions, "into" | "clock"> & { readonly into: string | undefined },
) {
  const clock = { now: () => new Date() };
  return { folder: into, ...(await importFiles({ from, symbol, into, clock, progress })) };
}

/** Returns a market with the symbol of its public demo. Copies its getters, because `content` changes with the files. */
export const withDemo = (config: Config, market: Market, symbols: Symbols): Market =>
  Object.defineProperties(
    { ...market },
    {
      ...Object.getOwnPropertyDescriptors(market),
      ...Object.getOwnPropertyDescriptors(demoOf(config, market, symbols)),
    },
  );

/**
 * Returns the symbol of the public demo. Default: the market's own choice, else its first symbol. Throws SetupError for
 * an unknown DEMO_SYMBOL.
 */
function demoOf({ DEMO_SYMBOL }: Config, { demo }: Market, symbols: Symbols): { demo?: string } {
  const fallback = demo ?? symbols.members()[0]?.symbol;
  if (DEMO_SYMBOL === undefined) return fallback === undefined ? {} : { demo: fallback };
  try {
    return { demo: symbols.resolve(DEMO_SYMBOL).instrument.symbol };
  } catch (cause) {
    throw new SetupError("DEMO_SYMBOL is not a symbol that this server knows", { cause });
  }
}
