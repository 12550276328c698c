import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, it } from "vitest";
import { DEFAULT_MASTER_KEY_FILE } from "../../src/access/vault/master-key.ts";
import { createApp } from "../../src/app/app.ts";
import { describeConfig, readConfig } from "../../src/app/config.ts";
import type { App, AppOverrides } from "../../src/app/installation.ts";
import { installationAdmin } from "../../src/app/installation-admin.ts";
import type { Plan, Scope } from "../../src/domain/accounts/access.ts";
import { barLabel } from "../../src/domain/market/bars.ts";
import { sampleMarket } from "../../src/providers/sample/market.ts";
import { type HttpListener, listen } from "../../src/transports/http/listen.ts";
import { createHttpApplication, type HttpApplication } from "../../src/transports/site.ts";
import { collectingLog } from "./context.ts";
import { createDatabase, POSTGRES_URL } from "./postgres.ts";
import { RECORDINGS } from "./recordings.ts";
import { suiteDir } from "./temp-dir.ts";

/** Addresses of the databases of PostgreSQL by folder, so that an installation finds its own after a restart. */
const databases = new Map<string, Promise<string>>();

function databaseOf(dir: string, server: string): Promise<string> {
  const made = databases.get(dir) ?? createDatabase(server);
  databases.set(dir, made);
  return made;
}

/** A complete installation on a real port, as `serve` runs it. */
export interface Installation {
  readonly app: App;
  /** The app of each server; `app` is the first. */
  readonly apps: readonly App[];
  readonly site: HttpApplication;
  readonly listening: HttpListener;
  readonly url: string;
  /** The environment that starts another process on the same data. */
  readonly env: Readonly<Record<string, string>>;
  /** Creates a key of a new account. */
  key(
    plan: Plan,
    scopes?: readonly Scope[],
  ): Promise<{ readonly key: string; readonly account: string; readonly plan: Plan }>;
  /** Stores the calls that the servers have counted, which they do once a minute. */
  storeUsage(): Promise<void>;
  stop(): Promise<void>;
}

/** Default number of servers of an installation on PostgreSQL: TEST_REPLICAS, else 1. */
export const REPLICAS = POSTGRES_URL === null ? 1 : Number(process.env.TEST_REPLICAS || 1);

/** Tests of the folder or the memory of one server, as their comments state. */
export const onOneServer = { it: it.skipIf(REPLICAS > 1) };

/** Settings of another server on the data of the one with these settings; on PostgreSQL it has a folder of its own. */
export const replicaSettings = (
  settings: Readonly<Record<string, string>>,
  n: number,
): Readonly<Record<string, string>> =>
  settings.DATABASE_URL === undefined
    ? settings
    : {
        ...(settings.MASTER_KEY === undefined && {
          MASTER_KEY_FILE: join(settings.DATA_DIR!, DEFAULT_MASTER_KEY_FILE),
        }),
        ...settings,
        DATA_DIR: `${settings.DATA_DIR}-${n}`,
      };

/** What a test replaces; `servers`: number of servers, which take requests in turn. */
type Outside = Pick<AppOverrides, "clock" | "fetch" | "tools" | "log" | "tracer"> & {
  readonly servers?: number;
};

/**
 * Opens all services on `dir` over `MARKET_DATA` and listens on a free port. With several servers, consecutive
 * requests of a client reach different ones, also on one connection.
 */
export async function install(
  dir: string,
  marketData: string,
  env: Record<string, string> = {},
  { servers: count = REPLICAS, ...outside }: Outside = {},
): Promise<Installation> {
  const settings = {
    DATA_DIR: join(dir, "data"),
    MARKET_DATA: marketData,
    LOG_LEVEL: "silent",
    // installations of other files in this process, closed but not collected, share the budget
    CACHE_MB: "2048",
    ...(POSTGRES_URL !== null && { DATABASE_URL: await databaseOf(dir, POSTGRES_URL) }),
    ...env,
  };
  const servers: Server[] = [];
  let turn = 0;
  const fetch: HttpApplication["fetch"] = (request, env) =>
    servers[turn++ % servers.length]!.site.fetch(request, env);
  const app = await createApp(readConfig(settings), {
    log: collectingLog().log,
    recordings: RECORDINGS,
    ...outside,
  });
  const listening = await listen(fetch, { host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${listening.port}`;
  servers.push(await serverOf(app, settings, url));
  if (count > 1) await app.keyedHash(""); // makes the master key, which the others read
  for (let n = 2; n <= count; n++) {
    const own = replicaSettings(settings, n);
    const replica = await createApp(readConfig(own), {
      log: collectingLog().log,
      recordings: RECORDINGS,
      ...outside,
    });
    servers.push(await serverOf(replica, own, url));
  }
  const { site } = servers[0]!;
  const drain = async () => void (await Promise.all(servers.map((server) => server.site.drain())));
  return {
    app,
    apps: servers.map((server) => server.app),
    site: servers.length === 1 ? site : { ...site, fetch, drain },
    listening,
    url,
    env: settings,
    async key(plan, scopes) {
      const { key, account } = await app.access.create({ plan, ...(scopes && { scopes }) });
      return { key, account, plan };
    },
    async storeUsage() {
      for (const server of servers) await server.app.usage.flush();
    },
    async stop() {
      await drain();
      await listening.close(1_000);
      for (const server of servers) await server.app.close();
    },
  };
}

type Server = Pick<Installation, "app" | "site">;

/** Creates the HTTP application of an app whose port is open at `url`. */
async function serverOf(app: App, settings: Readonly<Record<string, string>>, url: string): Promise<Server> {
  const publicUrl = app.config.PUBLIC_URL ?? url;
  const site = createHttpApplication({
    registry: app.registry,
    ports: app.ports,
    identify: app.authenticate,
    a2aTasks: await app.a2aTasks(),
    a2aPush: await app.a2aPush(),
    idempotency: app.idempotency,
    streamTokens: app.streamTokens,
    clientSessions: app.clientSessions,
    ...app.openSignIn(publicUrl),
    browserSessions: app.browserSessions,
    accounts: app.accounts,
    installation: installationAdmin(app, {
      logTail: () => [{ time: "2026-07-01T14:00:00.000Z", text: "2026-07-01 14:00:00Z info  started" }],
      settings: describeConfig(settings),
    }),
    peers: app.peers,
    settings: {
      version: "0.0.0",
      publicUrl,
      isPublic: app.config.PUBLIC_URL !== undefined,
      allowedHosts: ["127.0.0.1", new URL(publicUrl).hostname],
      corsOrigins: app.config.CORS_ORIGINS,
      trustProxy: app.config.TRUST_PROXY,
      metricsToken: null,
    },
  });
  await app.store.replicas?.join();
  return { app, site };
}

/**
 * An installation for the tests of one file or group: opened before them, afterwards stopped and its folder removed.
 * Its members are available once the tests run.
 */
export function useInstallation(
  marketData: string,
  env: Record<string, string> = {},
  outside: Outside = {},
): Installation & { readonly dir: string } {
  const { dir, remove } = suiteDir();
  const opened = { dir } as Installation & { readonly dir: string };
  beforeAll(async () => void Object.assign(opened, await install(dir, marketData, env, outside)), 60_000);
  afterAll(async () => {
    await opened.stop();
    remove();
  });
  return opened;
}

/** Writes a folder of CSV files with the simulated market's bars until 2026-06-30. */
export async function writeBars(
  dir: string,
  wanted: readonly (readonly [symbol: string, timeframe: "1d" | "4h"])[],
): Promise<string> {
  const asOf = Date.UTC(2026, 5, 30);
  const { bars, members } = sampleMarket({ clock: { now: () => new Date(asOf) } });
  const folder = join(dir, "bars");
  mkdirSync(folder, { recursive: true });
  for (const [symbol, timeframe] of wanted) {
    const member = members.find((one) => one.symbol === symbol)!;
    const { bars: columns } = await bars.history(member, { timeframe, limit: 520, asOf });
    const rows = Array.from(columns.time, (time, i) =>
      [
        barLabel(time, timeframe),
        ...(["open", "high", "low", "close", "volume"] as const).map((name) => columns[name][i]),
      ].join(","),
    );
    const file = `${symbol.replaceAll(".", "-")}_${timeframe}.csv`;
    writeFileSync(join(folder, file), `datetime,open,high,low,close,volume\n${rows.join("\n")}\n`);
  }
  return folder;
}
