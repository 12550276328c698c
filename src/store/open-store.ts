import { join } from "node:path";
import type Database from "better-sqlite3";
import { Kysely, type Migration, SqliteDialect } from "kysely";
import type { Clock, Log } from "../domain/ports.ts";
import { backUp } from "./backup.ts";
import { writeChecksum } from "./checksum.ts";
import { dataDirError, prepareDataDir } from "./data-dir.ts";
import { openCounters, openMain } from "./files.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import type { Schema } from "./schema.ts";
import { withStartLock } from "./start-lock.ts";
import { guarded } from "./trading/connection.ts";

const CLOSE_TIMEOUT_MS = 1_000;

export interface StoreOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log?: Log;
  readonly migrations?: Readonly<Record<string, Migration>>;
}

/** The open data folder. `counters` is a separate connection whose writes do not wait for the disk. */
export interface Store {
  readonly file: string;
  readonly db: Kysely<Schema>;
  readonly counters: Database.Database;
  /** Writes a backup while the database is in use; returns its path. */
  backUp(): string;
  close(): Promise<void>;
}

/**
 * Opens the data folder, checks it and applies missing migrations. Several processes may use the same folder at the
 * same time.
 * @throws SetupError when the folder cannot be used, the database is damaged or newer, or a migration fails.
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
      // Enabled after the migrations, which may rebuild a referenced table.
      raw.pragma("foreign_keys = ON");
      const countersFile = join(dataDir, "meters.db");
      const counters = openCounters(countersFile, () => log?.warn("counters_reset", { file: countersFile }));
      return {
        file,
        db,
        counters,
        backUp: () => backUp(raw, dataDir, "manual", clock.now()),
        async close() {
          const closeAll = async () => {
            await db.destroy();
            raw.close();
            counters.close();
          };
          try {
            await withStartLock(dataDir, () => closeAll().then(() => writeChecksum(file)), CLOSE_TIMEOUT_MS);
          } catch {
            await closeAll(); // Without a checksum the next start runs a full integrity check.
          }
        },
      };
    } catch (cause) {
      raw.close();
      throw cause;
    }
  });
  return opening.catch((cause: unknown) => {
    throw dataDirError(dataDir, cause);
  });
}
