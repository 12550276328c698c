import { join } from "node:path";
import type { Market } from "../domain/market/market.ts";
import type { BarHistory, Clock, Log, Ports, Quotes, Symbols } from "../domain/ports.ts";
import { SetupError } from "../lib/setup-error.ts";
import { createHealth } from "../market/health.ts";
import { createDirectory } from "../market/symbols/directory.ts";
import { importFiles } from "../providers/files/import.ts";
import { type FilesReport, openFiles } from "../providers/files/open.ts";
import { sampleMarket } from "../providers/sample/market.ts";
import type { Store } from "../store/open-store.ts";
import type { Config } from "./config.ts";
import { noCongress } from "./providers/absent/no-congress.ts";
import { noContracts } from "./providers/absent/no-contracts.ts";
import { noEarnings } from "./providers/absent/no-earnings.ts";
import { noNews } from "./providers/absent/no-news.ts";
import { noOffExchange, noPrints } from "./providers/absent/no-off-exchange-trades.ts";
import { noFlowTape, noOptions } from "./providers/absent/no-options.ts";
import type { LiveMarket } from "./providers/live.ts";

/** The market an installation serves, with all its ports. */
export interface OpenMarket
  extends Pick<
    Ports,
    | "market"
    | "symbols"
    | "quotes"
    | "bars"
    | "prints"
    | "news"
    | "earnings"
    | "offExchange"
    | "contracts"
    | "congress"
    | "providerHealth"
    | "chains"
    | "flowTape"
    | "putCalls"
  > {
  /** Where the market can tell its own past; null where it is kept. */
  readonly flowDays?: Ports["flowDays"];
  readonly report: (() => FilesReport) | null;
  readonly live: LiveMarket | null;
}

/** Opens the market of the settings: simulated, a folder of files, or live. */
export async function openMarket(
  config: Config,
  {
    clock,
    log,
    store,
    fetch = globalThis.fetch,
  }: {
    readonly clock: Clock;
    readonly log: Log;
    readonly store: Store;
    readonly fetch?: typeof globalThis.fetch | undefined;
  },
): Promise<OpenMarket> {
  const { MARKET_DATA } = config;
  if (MARKET_DATA === "live") {
    // loaded for live prices alone: it knows every vendor
    const { openLive } = await import("./providers/live.ts");
    const live = await openLive({ config, db: store.db, clock, log, fetch });
    const { market, symbols, quotes, bars, prints, offExchange, providerHealth } = live;
    return {
      market,
      symbols,
      quotes,
      bars,
      prints,
      news: live.news,
      offExchange,
      earnings: live.earnings,
      contracts: live.contracts,
      congress: live.congress,
      ...live.options,
      providerHealth,
      report: null,
      live,
    };
  }
  const health = createHealth(clock);
  const watched = (name: string, quotes: Quotes, bars: BarHistory) => ({
    quotes: health.quotes(name, quotes),
    bars: health.bars(name, bars),
    providerHealth: health.providerHealth,
    live: null,
  });
  if (MARKET_DATA === "sample") {
    const {
      market,
      members,
      quotes,
      bars,
      prints,
      news,
      offExchange,
      earnings,
      contracts,
      congress,
      ...options
    } = sampleMarket({ clock });
    return {
      market,
      symbols: createDirectory({ members }),
      ...watched("sample", quotes, bars),
      prints,
      news,
      offExchange,
      earnings,
      contracts,
      congress,
      ...options,
      flowTape: noFlowTape,
      report: null,
    };
  }
  const files = await openFiles({ dir: MARKET_DATA.slice("files:".length), clock });
  return {
    market: { mode: "files", id: files.marketId, content: files.contentId },
    symbols: createDirectory({ members: files.members }),
    ...watched("files", files.quotes, files.bars),
    prints: noPrints,
    news: noNews,
    offExchange: noOffExchange,
    earnings: noEarnings,
    contracts: noContracts,
    congress: noCongress,
    ...noOptions,
    report: files.report,
  };
}

/** Reads CSV files and stores their bars in a folder of the installation, or another one. */
export async function importBars(
  config: Config,
  {
    from,
    symbol,
    into = join(config.DATA_DIR, "bars"),
  }: { from: string; symbol: string | undefined; into: string | undefined },
) {
  const clock = { now: () => new Date() };
  return { folder: into, ...(await importFiles({ from, symbol, into, clock })) };
}

/** Symbol of the public demo: the configured one, else the market's own choice or its first. */
export function demoOf({ DEMO_SYMBOL }: Config, { demo }: Market, symbols: Symbols): { demo?: string } {
  const own = demo ?? symbols.members()[0]?.symbol;
  if (DEMO_SYMBOL === undefined) return own === undefined ? {} : { demo: own };
  try {
    return { demo: symbols.resolve(DEMO_SYMBOL).instrument.symbol };
  } catch (cause) {
    throw new SetupError("DEMO_SYMBOL is no symbol that this server knows", { cause });
  }
}
