import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { replicaSettings } from "../support/installation.ts";
import { createDatabase, POSTGRES_URL } from "../support/postgres.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { databaseProxy, type Line } from "./database-proxy.ts";

/** Number of servers of a proof: two on PostgreSQL. */
export const SERVERS = POSTGRES_URL === null ? 1 : 2;

/** Engine of a proof, for its figure. */
export const ENGINE = POSTGRES_URL === null ? "SQLite" : `PostgreSQL, ${SERVERS} servers`;

/** What happens to the connections of the servers, in turn, each time for this long, ms; in between they are open. */
const FAILURES: readonly (readonly [line: Line, ms: number])[] = [
  ["cut", 300],
  ["paused", 1_500],
  ["slow", 2_000],
];
const OPEN_MS = 2_000;

/** Where the servers of a proof store their data: a new database of TEST_DATABASE_URL. Default: a new folder. */
export interface Place {
  readonly dir: string;
  /** Returns the settings of the nth server, from 0. */
  env(n?: number): Readonly<Record<string, string>>;
  /**
   * Like `env`, with an address of PostgreSQL at which connections break, pause and slow down again and again from now on.
   * On SQLite: the same as `env`.
   */
  failingEnv(n?: number): Readonly<Record<string, string>>;
  /** Number of times that the connections have failed so far. */
  failures(): number;
  remove(): void;
}

/** Creates a place that is empty. */
export async function openPlace(): Promise<Place> {
  const { dir, remove } = suiteDir();
  const url = POSTGRES_URL === null ? null : await createDatabase(POSTGRES_URL);
  const proxy = url === null ? null : await databaseProxy(url);
  const ending = new AbortController();
  const wait = (ms: number) => sleep(ms, undefined, { signal: ending.signal, ref: false });
  let isFailing = false;
  let failures = 0;
  const settings = {
    DATA_DIR: join(dir, "data"),
    HOME: dir,
    MARKET_DATA: "sample",
    ...(url !== null && { DATABASE_URL: url, MASTER_KEY: randomBytes(32).toString("base64") }),
  };
  const envOf = (n: number) => (n === 0 ? settings : replicaSettings(settings, n + 1));

  async function fail(): Promise<void> {
    for (;;)
      for (const [line, ms] of FAILURES) {
        await wait(OPEN_MS);
        proxy!.set(line);
        failures++;
        await wait(ms);
        proxy!.set("open");
      }
  }

  return {
    dir,
    env: (n = 0) => envOf(n),
    failingEnv(n = 0) {
      if (proxy === null) return envOf(n);
      if (!isFailing) fail().catch(() => {}); // ended
      isFailing = true;
      return { ...envOf(n), DATABASE_URL: proxy.url };
    },
    failures: () => failures,
    remove() {
      ending.abort();
      proxy?.close();
      remove();
    },
  };
}
