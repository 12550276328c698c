import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import * as catalogue from "../tools/index.ts";
import { type Access, createAccess } from "./access/access.ts";
import { ownerPrincipal } from "./access/callers.ts";
import { doorkeeper } from "./access/doorkeeper.ts";
import { createMeters } from "./access/meters.ts";
import { PLAN_SCHEDULES } from "./access/plans.ts";
import type { Config } from "./config.ts";
import type { Principal } from "./domain/access.ts";
import type { Instrument, Market } from "./domain/market.ts";
import { createRegistry, type Registry } from "./kernel/registry.ts";
import type { Tool } from "./kernel/tool.ts";
import { createLog } from "./lib/log.ts";
import { SetupError } from "./lib/setup-error.ts";
import { createCache } from "./market/cache.ts";
import { createDirectory } from "./market/directory.ts";
import { createHealth } from "./market/health.ts";
import type { BarHistory, Clock, Log, Ports, Quotes } from "./ports/index.ts";
import { type FilesReport, openFiles } from "./providers/files/open.ts";
import { sampleMarket } from "./providers/sample/market.ts";
import { engineRuns } from "./store/engine-runs.ts";
import { openKeyring } from "./store/keyring.ts";
import { openStore } from "./store/open-store.ts";

/** What tests may lend in place of the real thing. */
export interface Outside {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly tools?: Readonly<Record<string, Tool>>;
}

/** One running installation: the outside world connected, the catalogue sorted, the callers known. */
export interface App {
  readonly version: string;
  readonly config: Config;
  readonly ports: Ports;
  readonly registry: Registry;
  readonly access: Access;
  /** Whoever runs commands on this machine. */
  readonly owner: Principal;
  /** Who stands at a network door with this key and address. */
  readonly identify: (key: string | null, address: string) => Promise<Principal>;
  /** What was made of the folder of files; null in other markets. */
  readonly files: (() => FilesReport) | null;
  close(): Promise<void>;
}

/** Composition root: settings become ports, ports and catalogue a registry. Vendors are named here and nowhere else. */
export async function createApp(config: Config, outside: Outside = {}): Promise<App> {
  const clock = outside.clock ?? { now: () => new Date() };
  const log = outside.log ?? createLog(config.LOG_LEVEL);
  const ids = { uuid: () => randomUUID() };
  const schedule = PLAN_SCHEDULES[config.PLAN_SCHEDULE];
  const open = await openMarket(config, clock);
  const symbols = createDirectory({ members: open.members });
  const demo =
    config.DEMO_SYMBOL === undefined ? open.members[0]?.symbol : demoSymbol(config.DEMO_SYMBOL, symbols);
  const market: Market = { ...open.market, ...(demo !== undefined && { demo }) };
  const store = await openStore({ dataDir: config.DATA_DIR, clock, log });
  const access = createAccess({ keyring: openKeyring(store.db), clock, ids, schedule });
  const meters = createMeters({ db: store.counters, schedule });
  const health = createHealth(clock);
  const ports: Ports = {
    market,
    symbols,
    quotes: health.quotes(open.source, open.quotes),
    bars: health.bars(open.source, open.bars),
    providerHealth: health.providerHealth,
    clock,
    ids,
    log,
    meters,
    cache: createCache(clock),
    engineRuns: engineRuns({ db: store.db, market: market.id }),
  };
  return {
    version: version(),
    config,
    ports,
    registry: createRegistry(outside.tools ?? catalogue, ports),
    access,
    owner: ownerPrincipal(),
    identify: doorkeeper({ access, wrongKeys: meters.wrongKeys }),
    files: open.report,
    close: () => store.close(),
  };
}

interface OpenMarket {
  readonly market: Market;
  /** Name of the provider behind it. */
  readonly source: string;
  readonly quotes: Quotes;
  readonly bars: BarHistory;
  readonly members: readonly Instrument[];
  readonly report: (() => FilesReport) | null;
}

async function openMarket({ MARKET_DATA }: Config, clock: Clock): Promise<OpenMarket> {
  if (MARKET_DATA === "sample") return { ...sampleMarket({ clock }), source: "sample", report: null };
  if (!MARKET_DATA.startsWith("files:"))
    throw new SetupError(
      "MARKET_DATA=live is not in this version; use MARKET_DATA=sample or MARKET_DATA=files:<dir>",
    );
  const { marketId, report, ...files } = await openFiles({ dir: MARKET_DATA.slice("files:".length), clock });
  return { ...files, market: { mode: "files", id: marketId }, source: "files", report };
}

function demoSymbol(text: string, symbols: Ports["symbols"]): string {
  try {
    return symbols.resolve(text).instrument.symbol;
  } catch (cause) {
    throw new SetupError("DEMO_SYMBOL is no symbol that this server knows", { cause });
  }
}

/** The version in package.json, which lies one folder up from the sources and two from the build. */
function version(): string {
  const files = ["../package.json", "../../package.json"].map((path) => new URL(path, import.meta.url));
  for (const file of files)
    try {
      return String(JSON.parse(readFileSync(file, "utf8")).version);
    } catch {
      // the other place
    }
  return "unknown";
}
