import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock, Log } from "../domain/ports.ts";
import type { Tracer } from "../domain/tracing-port.ts";
import { SetupError } from "../lib/setup-error.ts";
import { prepareDataDir, privateFile } from "../store/data-dir.ts";
import { mainFile } from "../store/files.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { backupIntervalMs } from "./backup-settings.ts";
import type { Config } from "./config.ts";

/** File in the data folder that names the server and the database of PostgreSQL with its data. */
export const POSTGRES_FILE = "postgres.txt";

/**
 * Opens the database of the installation: that of DATABASE_URL or, without one, of SQLite in the data folder.
 * `quotaClock`: time by which PostgreSQL counts quotas. Default: its own. @throws SetupError if the database cannot be
 * used, or if the data of the folder are in PostgreSQL and DATABASE_URL is missing
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
    log.warn("sqlite_not_used", { message: `DATABASE_URL is set, so the data in ${file} are not used` });
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
  noteDatabase(dataDir, describeUrl(url));
  return store;
}

/** Records that the data of the folder are in PostgreSQL. */
export function noteDatabase(dataDir: string, name: string): void {
  const note = join(dataDir, POSTGRES_FILE);
  privateFile(note);
  writeFileSync(note, `${name}\n`);
}

/** A command without DATABASE_URL would change other data than those of the server. */
const missingUrlError = (note: string): SetupError =>
  new SetupError(
    `The data of this folder are in PostgreSQL, ${readFileSync(note, "utf8").trim()}: set DATABASE_URL. To copy them back, run \`market-signal db copy --to sqlite\` with it. To go on with SQLite without them, delete ${note}`,
  );
