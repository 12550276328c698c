import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { replicaSettings } from "../support/installation.ts";
import { createDatabase, POSTGRES_URL } from "../support/postgres.ts";
import { suiteDir } from "../support/temp-dir.ts";

/** Number of servers of a proof: two on PostgreSQL. */
export const SERVERS = POSTGRES_URL === null ? 1 : 2;

/** Engine of a proof, for its figure. */
export const ENGINE = POSTGRES_URL === null ? "SQLite" : `PostgreSQL, ${SERVERS} servers`;

/** Where the servers of a proof store their data: a new database of TEST_DATABASE_URL. Default: a new folder. */
export interface Place {
  readonly dir: string;
  /** Returns the settings of the nth server, from 0. */
  env(n?: number): Readonly<Record<string, string>>;
  remove(): void;
}

/** Creates a place that is empty. */
export async function openPlace(): Promise<Place> {
  const { dir, remove } = suiteDir();
  const settings = {
    DATA_DIR: join(dir, "data"),
    HOME: dir,
    MARKET_DATA: "sample",
    ...(POSTGRES_URL !== null && {
      DATABASE_URL: await createDatabase(POSTGRES_URL),
      MASTER_KEY: randomBytes(32).toString("base64"),
    }),
  };
  return { dir, env: (n = 0) => (n === 0 ? settings : replicaSettings(settings, n + 1)), remove };
}
