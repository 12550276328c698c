import { existsSync, statSync } from "node:fs";
import { Kysely, type Migration, SqliteDialect } from "kysely";
import type { Clock, Log } from "../domain/ports.ts";
import type { Tracer } from "../domain/tracing-port.ts";
import { openRateLimits } from "./accounts/windows.ts";
import { backUp } from "./backups/backup.ts";
import { writeChecksum } from "./checksum.ts";
import { dataDirError, hasRoom, prepareDataDir } from "./data-dir.ts";
import {
  allowWrites,
  countersFile,
  endOpening,
  mainFile,
  missingEntriesMessage,
  openCounters,
  openMain,
  recoveryMessage,
  refuseEmptyCopy,
} from "./files.ts";
import { guarded } from "./guarded.ts";
import type { RunningServer } from "./in-use.ts";
import { findFileDamage } from "./integrity.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { retryWhileBusy } from "./retry-busy.ts";
import type { Schema } from "./schema.ts";
import type { Database } from "./sqlite/database.ts";
import { withStartLock } from "./start-lock.ts";
import { createStorageMonitor, type StorageMonitor } from "./storage-monitor.ts";
import type { Store } from "./store.ts";
import { tracedDialect } from "./traced-dialect.ts";
import { type BackupSchedule, DEFAULT_SCHEDULE } from "./upkeep/check-and-back-up.ts";
import { createUpkeep } from "./upkeep/upkeep.ts";
import { execWhenUnlocked } from "./write-lock.ts";

const CLOSE_TIMEOUT_MS = 1_000;
/** Time in which a change by another process may go unnoticed, in milliseconds. */
const FOREIGN_CHANGES_MS = 5;
/** Size above which a database is not checked at shutdown; the check reads about 200 MB a second. */
const MAX_SEALED_BYTES = 512 * 1024 ** 2;

export interface StoreOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log?: Log;
  readonly migrations?: Readonly<Record<string, Migration>>;
  /** Default: a backup a day, of which seven are kept. */
  readonly schedule?: BackupSchedule;
  /** Program that is run with the path of each scheduled backup. Default: none. */
  readonly backupHook?: string | undefined;
  /** Finds the server that runs on the data folder: while one runs, nothing is migrated. Default: none is found. */
  readonly findServer?: () => Promise<RunningServer | null>;
  /** Records each transaction. Default: none is recorded. */
  readonly tracer?: Tracer | undefined;
}

/** The open data folder. `counters` is a separate connection whose writes do not wait for the disk. */
export interface SqliteStore extends Store {
  readonly file: string;
  readonly counters: Database;
  /** Writes a backup while the database is in use; returns its path. */
  backUp(): string;
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
  schedule = DEFAULT_SCHEDULE,
  backupHook: hook,
  findServer = async () => null,
  tracer,
}: StoreOptions): Promise<SqliteStore> {
  prepareDataDir(dataDir);
  const opening = withStartLock(dataDir, async () => {
    const file = mainFile(dataDir);
    const { raw, full, readOnly } = openMain(file, dataDir, clock.now());
    try {
      const monitor = createStorageMonitor({
        clock,
        log,
        hasRoom: () => hasRoom(dataDir),
        recoveryMessage: () => recoveryMessage(file, dataDir, clock.now()),
      });
      const db = new Kysely<Schema>({
        dialect: tracedDialect(new SqliteDialect({ database: guarded(raw, monitor) }), tracer),
      });
      refuseEmptyCopy(raw, file, dataDir, clock.now());
      endOpening(raw);
      const run = { raw, db, dataDir, migrations, now: clock.now(), log, findServer };
      const { changed, backup } = await migrate(run);
      if (backup !== null) log?.info("database_migrated", { backup });
      const missingEntries = missingEntriesMessage(raw, file, dataDir);
      if (missingEntries !== null) monitor.incomplete(missingEntries);
      // A copy of the main file alone then has the tables.
      if (changed) raw.pragma("wal_checkpoint(TRUNCATE)");
      // Enabled after the migrations, which may rebuild a referenced table.
      raw.pragma("foreign_keys = ON");
      const meters = countersFile(dataDir);
      const counters = openCounters(meters, () => log?.warn("counters_reset", { file: meters }));
      if (full !== null) monitor.full(full);
      let writable = !readOnly;
      /** While the disk is full: allows writes and writes the first page, once the disk has room. */
      const recover = (): void => {
        if (raw.inTransaction || monitor.fault()?.kind !== "full" || !hasRoom(dataDir)) return;
        try {
          if (!writable) allowWrites(raw);
          writable = true;
          raw.pragma(`user_version = ${raw.pragma("user_version", { simple: true })}`);
          monitor.wrote();
        } catch {} // The disk is still full or failing.
      };
      const upkeep = createUpkeep({
        file,
        dataDir,
        monitor,
        recover,
        clock,
        schedule,
        hook: hook ?? null,
        log,
      });
      const retrying = retryWhileBusy(db);
      return {
        clock: null,
        file,
        db: retrying,
        backgroundDb: retrying,
        replicas: null,
        counters,
        health: monitor,
        upkeep,
        openRateLimits: async () => openRateLimits(counters, clock),
        version: versionOf(raw),
        probe: async () => ({ clock_offset_ms: null, connections: null, is_listening: null }),
        async waitForWriteLock() {
          // An open transaction of this process holds the lock itself.
          if (!raw.inTransaction) await execWhenUnlocked(raw, "BEGIN IMMEDIATE; ROLLBACK", log);
        },
        backUp: () => backUp({ db: raw, dataDir, label: "manual", now: clock.now() }).file,
        async close() {
          await upkeep.close();
          const closeAll = async () => {
            await db.destroy();
            raw.close();
            counters.close();
          };
          try {
            await withStartLock(dataDir, () => closeAll().then(() => seal(file, monitor)), CLOSE_TIMEOUT_MS);
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

/** Returns a text that differs after each change, those of other processes after at most `FOREIGN_CHANGES_MS`. */
function versionOf(raw: Database): () => string {
  const changesOfOthers = raw.prepare("PRAGMA data_version").pluck();
  const ownChanges = raw.prepare("SELECT total_changes()").pluck();
  let unread = 0;
  let others: unknown;
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    try {
      const now = performance.now();
      // it asks the operating system for a lock, which takes longer than the rest of a short request
      if (now - readAt >= FOREIGN_CHANGES_MS) {
        others = changesOfOthers.get();
        readAt = now;
      }
      return `${ownChanges.get()} ${others}`;
    } catch {
      return `unread ${++unread}`; // a database that cannot be read may have changed
    }
  };
}

/**
 * Writes the checksum of a closed database, unless another process has it open. A damaged database gets none: the next
 * start refuses it. A very large one gets none either: checking it at the next start does not delay the shutdown.
 */
function seal(file: string, monitor: StorageMonitor): void {
  if (existsSync(`${file}-wal`) || statSync(file).size > MAX_SEALED_BYTES) return;
  const damage = monitor.fault()?.kind === "damaged" ? "found while open" : findFileDamage(file);
  if (damage === null) writeChecksum(file);
  else monitor.damaged(damage);
}
