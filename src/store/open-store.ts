import { join } from "node:path";
import type Database from "better-sqlite3";
import { Kysely, type Migration, SqliteDialect } from "kysely";
import type { Clock, Log } from "../domain/ports.ts";
import { backUp } from "./backup.ts";
import { prepareDataDir, unusable } from "./data-dir.ts";
import { openCounters, openMain } from "./files.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import type { Schema } from "./schema.ts";
import { withStartLock } from "./start-lock.ts";
import { guarded } from "./trading/connection.ts";
import { seal } from "./vault/seal.ts";

const CLOSING_PATIENCE_MS = 1_000;

export interface StoreOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log?: Log;
  readonly migrations?: Readonly<Record<string, Migration>>;
}

/** The data folder, open. `counters` is a connection of its own whose writes never wait for the disk. */
export interface Store {
  readonly file: string;
  readonly db: Kysely<Schema>;
  readonly counters: Database.Database;
  /** Copies the database beside itself while it is in use; returns the path. */
  backUp(): string;
  close(): Promise<void>;
}

/**
 * Opens the data folder, checked and brought up to date. Several processes may open one folder, also a new one, at once.
 * SetupError where the folder cannot be used, the database is damaged or newer, or a migration fails.
 */
export async function openStore({
  dataDir,
  clock,
  log,
  migrations = MIGRATIONS,
}: StoreOptions): Promise<Store> {
  prepareDataDir(dataDir);
  const opening = withStartLock(dataDir, async () => {
    const file = join(dataDir, "market-signal.db");
    const raw = openMain(file, dataDir);
    try {
      const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: guarded(raw) }) });
      const backup = await migrate({ raw, db, dataDir, migrations, now: clock.now() });
      if (backup !== null) log?.info("database_migrated", { backup });
      // After the migrations, which may have to rebuild a table that others refer to.
      raw.pragma("foreign_keys = ON");
      const countersFile = join(dataDir, "meters.db");
      const counters = openCounters(countersFile, () => log?.warn("counters_reset", { file: countersFile }));
      return {
        file,
        db,
        counters,
        backUp: () => backUp(raw, dataDir, "manual", clock.now()),
        async close() {
          const shut = async () => {
            await db.destroy();
            raw.close();
            counters.close();
          };
          try {
            await withStartLock(dataDir, () => shut().then(() => seal(file)), CLOSING_PATIENCE_MS);
          } catch {
            await shut(); // Without a seal the next start checks the whole file itself.
          }
        },
      };
    } catch (cause) {
      raw.close();
      throw cause;
    }
  });
  return opening.catch((cause: unknown) => {
    throw unusable(dataDir, cause);
  });
}
