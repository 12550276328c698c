import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
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
  stop(): Promise<void>;
}

/**
 * Opens all services on `dir` over `MARKET_DATA` and listens on a free port; `outside`: clock, fetch, tools, log or tracer of
 * the test.
 */
export async function install(
  dir: string,
  marketData: string,
  env: Record<string, string> = {},
  outside: Pick<AppOverrides, "clock" | "fetch" | "tools" | "log" | "tracer"> = {},
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
  const app = await createApp(readConfig(settings), { log: collectingLog().log, ...outside });
  let site: HttpApplication;
  const listening = await listen((request, env) => site.fetch(request, env), { host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${listening.port}`;
  const publicUrl = app.config.PUBLIC_URL ?? url;
  site = createHttpApplication({
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
  return {
    app,
    site,
    listening,
    url,
    env: settings,
    async key(plan, scopes) {
      const { key, account } = await app.access.create({ plan, ...(scopes && { scopes }) });
      return { key, account, plan };
    },
    async stop() {
      await site.drain();
      await listening.close(1_000);
      await app.close();
    },
  };
}

/**
 * An installation for the tests of one file or group: opened before them, afterwards stopped and its folder removed.
 * Its members are available once the tests run.
 */
export function useInstallation(
  marketData: string,
  env: Record<string, string> = {},
  outside: Parameters<typeof install>[3] = {},
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
