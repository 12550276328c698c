import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock, Log } from "../domain/ports.ts";
import type { Tracer } from "../domain/tracing-port.ts";
import { SetupError } from "../lib/setup-error.ts";
import { assertNotInUse } from "../store/backups/stage.ts";
import { prepareDataDir, privateFile } from "../store/data-dir.ts";
import { mainFile } from "../store/files.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { backupIntervalMs } from "./backup-settings.ts";
import type { Config } from "./config.ts";

/** File in the data folder with the host and the name of the PostgreSQL database that has its data. */
export const POSTGRES_FILE = "postgres.txt";

/**
 * Opens the database of the installation: PostgreSQL with DATABASE_URL, SQLite in the data folder without it.
 * `quotaClock`: clock by which PostgreSQL counts quotas. Default: its own. @throws SetupError if the database cannot be
 * used, or if the data of the folder is in PostgreSQL and DATABASE_URL is missing
 */
export async function openDatabase(
  config: Config,
  {
    clock,
    log,
    quotaClock,
    tracer,
  }: {
    readonly clock: Clock;
    readonly log: Log;
    readonly quotaClock?: Clock | undefined;
    readonly tracer?: Tracer | undefined;
  },
): Promise<Store> {
  const { DATABASE_URL: url, DATA_DIR: dataDir, BACKUP_HOOK: backupHook } = config;
  const schedule = { everyMs: backupIntervalMs(config.BACKUP_EVERY), keep: config.BACKUP_KEEP };
  const note = join(dataDir, POSTGRES_FILE);
  if (url === undefined) {
    if (existsSync(note)) throw missingUrlError(note);
    return openStore({
      dataDir,
      clock,
      log,
      schedule,
      backupHook,
      tracer,
      findServer: async () => (await import("./running-server.ts")).findServer(dataDir),
    });
  }
  prepareDataDir(dataDir);
  const file = mainFile(dataDir);
  if (existsSync(file))
    log.warn("sqlite_not_used", { message: `DATABASE_URL is set, so the data in ${file} is not used` });
  const { upkeepJobs } = await import("../store/upkeep/run-job.ts");
  const { describeUrl, openPostgresStore } = await import("../store/postgres/open-store.ts");
  const store = await openPostgresStore({
    url,
    directUrl: config.DATABASE_DIRECT_URL,
    clock,
    log,
    quotaClock,
    tracer,
    backups: { file: note, dataDir, hook: backupHook ?? null, schedule, jobs: upkeepJobs },
  });
  // only servers and workers may take the SQLite database of a folder out of use: noteDatabaseOf
  if (!existsSync(file)) noteDatabase(dataDir, describeUrl(url));
  return store;
}

/** Records in the folder that its data is in PostgreSQL. */
export function noteDatabase(dataDir: string, name: string): void {
  const note = join(dataDir, POSTGRES_FILE);
  privateFile(note);
  writeFileSync(note, `${name}\n`);
}

/** Records in the folder of a server or worker that its data is in PostgreSQL, even if it also has a SQLite database. */
export async function noteDatabaseOf({ DATABASE_URL: url, DATA_DIR: dataDir }: Config): Promise<void> {
  if (url === undefined) return;
  const { describeUrl } = await import("../store/postgres/open-store.ts");
  noteDatabase(dataDir, describeUrl(url));
}

/** Refuses a command that needs the database for itself. @throws SetupError while a server or command uses it */
export async function assertDatabaseUnused(config: Config, command: string): Promise<void> {
  const { DATA_DIR, DATABASE_URL, DATABASE_DIRECT_URL: url = DATABASE_URL } = config;
  assertNotInUse(DATA_DIR, command);
  if (url === undefined) return;
  const { assertDatabaseNotInUse } = await import("../store/copy/postgres-side.ts");
  await assertDatabaseNotInUse(url, command);
}

/** The error of a command without DATABASE_URL, which would change other data than that of the server. */
const missingUrlError = (note: string): SetupError =>
  new SetupError(
    `The data of this folder is in PostgreSQL, ${readFileSync(note, "utf8").trim()}: set DATABASE_URL. To copy the data back, run \`market-signal db copy --to sqlite\` with DATABASE_URL. To use SQLite without that data, delete ${note}`,
  );
