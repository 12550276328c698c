import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createAuditService } from "../access/audit/audit-check.ts";
import type { DataVersion } from "../domain/backups/data-version.ts";
import type { CopyReport, DatabaseCheck, MigrationReport } from "../domain/backups/database-copy.ts";
import { SetupError } from "../lib/setup-error.ts";
import { shellQuoted } from "../lib/shell-quote.ts";
import { AUDIT_HEAD_FILE, auditHeadFile } from "../store/audit/audit-head.ts";
import { backupStamp } from "../store/backups/backup.ts";
import { assertNotInUse, stagingFolder } from "../store/backups/stage.ts";
import { compareTables, describeRows } from "../store/copy/copy.ts";
import { openSqliteSource } from "../store/copy/sqlite-side.ts";
import { copyToSqlite } from "../store/copy/to-sqlite.ts";
import { assertDataDir, prepareDataDir, syncPath } from "../store/data-dir.ts";
import { readDataVersion } from "../store/data-version.ts";
import { countersFile, mainFile } from "../store/files.ts";
import { findFileDamage } from "../store/integrity.ts";
import { MIGRATIONS } from "../store/migrations/index.ts";
import { withStartLock } from "../store/start-lock.ts";
import type { DatabaseAdmin } from "../transports/cli/host-database.ts";
import type { Config } from "./config.ts";
import { openInstallation } from "./installation.ts";
import { noteDatabase, openDatabase, POSTGRES_FILE } from "./open-database.ts";
import { isPostgresUrl, POSTGRES_FORM } from "./setting-values.ts";

/** Name of the SQLite database in the data folder, in place of an address. */
const SQLITE = "sqlite";

type CopyOptions = Parameters<DatabaseAdmin["copy"]>[0];
type CheckOptions = Parameters<DatabaseAdmin["check"]>[0];

/** Creates the commands on the database. `signal`: cancels a copy, of which nothing is stored then. */
export const databaseAdmin = (given: Config, signal?: AbortSignal): DatabaseAdmin => {
  const { DATABASE_URL, DATABASE_DIRECT_URL = DATABASE_URL } = given;
  const config = { ...given, DATABASE_URL: DATABASE_URL && DATABASE_DIRECT_URL };
  return {
    migrate: () => migrateDatabase(config),
    copy: ({ to, progress }) =>
      copyDatabase(config, {
        to,
        progress(step) {
          signal?.throwIfAborted();
          progress?.(step);
        },
      }),
    check: (options) => checkDatabase(config, options),
  };
};

/** Loads the modules that need the PostgreSQL driver only where they are used. */
const postgres = async () => ({
  ...(await import("../store/copy/postgres-side.ts")),
  ...(await import("../store/postgres/open-store.ts")),
});

/** Applies missing migrations, also while servers run. */
async function migrateDatabase(config: Config): Promise<MigrationReport> {
  assertDataDir(config.DATA_DIR);
  const before = await dataVersionOf(config);
  const clock = { now: () => new Date() };
  const { openLog } = await import("./open-log.ts");
  const store = await openDatabase(config, { clock, log: openLog(config) });
  await store.close();
  const known = Object.keys(MIGRATIONS);
  return {
    database: await nameOf(config),
    applied: before === null ? known : before.missing,
    data_version: known.at(-1)!,
  };
}

/**
 * Copies the database of the installation to another one, while no server uses either. If it fails, nothing is written.
 * @throws SetupError if a server uses one of them, the target is not empty, or migrations are missing
 */
async function copyDatabase(config: Config, options: CopyOptions): Promise<CopyReport> {
  const { DATA_DIR: dataDir, DATABASE_URL: url } = config;
  const { to } = options;
  assertTarget(to);
  const isOwn =
    to === (url ?? SQLITE) ||
    (url !== undefined && to !== SQLITE && (await (await postgres()).isSameDatabase(url, to)));
  if (isOwn)
    throw new SetupError(
      url === undefined
        ? "The data is already in SQLite: set DATABASE_URL to the PostgreSQL database to copy from, or name a target with --to postgres://…"
        : "--to names the database of DATABASE_URL itself; name another one",
    );
  const startedAt = performance.now();
  await assertComplete(config);
  prepareDataDir(dataDir);
  const copied = await withStartLock(dataDir, async () => {
    assertNotInUse(dataDir, "run the command again");
    return to === SQLITE ? copyIntoDataDir(config, options) : copyIntoPostgres(config, options);
  });
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  return { ...copied, seconds };
}

/** Copies to the address `to` of PostgreSQL. */
async function copyIntoPostgres(
  config: Config,
  { to, progress }: CopyOptions,
): Promise<Omit<CopyReport, "seconds">> {
  const file = mainFile(config.DATA_DIR);
  if (config.DATABASE_URL === undefined && findFileDamage(file) !== null)
    throw new SetupError(
      `The database ${file} is damaged; \`market-signal doctor\` prints the command that restores it`,
    );
  const source = await openSource(config, { isAlone: true });
  try {
    const { copyToPostgres } = await import("../store/copy/to-postgres.ts");
    const copied = await copyToPostgres(source, to, progress);
    if (copied.copied && config.DATABASE_URL === undefined) noteDatabase(config.DATA_DIR, copied.to);
    return { from: source.name, ...copied };
  } finally {
    await source.close();
  }
}

/** Copies to a new SQLite database in the data folder. */
async function copyIntoDataDir(
  config: Config,
  { progress }: CopyOptions,
): Promise<Omit<CopyReport, "seconds">> {
  const { DATA_DIR: dataDir } = config;
  const target = mainFile(dataDir);
  const aside = shellQuoted(join(dataDir, `aside-${backupStamp(new Date())}`));
  // the log and the checksum of another database would be taken for those of the copy
  const known = filesOf(target);
  if (known.length > 0)
    throw new SetupError(
      `The data folder already has a SQLite database, or files of one, which a copy never overwrites: ${known.join(", ")}. To move them away, run: mkdir ${aside} && mv ${shellQuoted(target)}* ${aside}`,
    );
  const source = await openSource(config, { isAlone: true });
  const staged = stagingFolder(dataDir, new Date(), "copy");
  try {
    const { file, ...copied } = await copyToSqlite(source, staged, auditHeadFile(dataDir).read(), progress);
    syncPath(file);
    const head = join(staged, AUDIT_HEAD_FILE);
    if (existsSync(head)) renameSync(head, join(dataDir, AUDIT_HEAD_FILE));
    for (const path of [countersFile, mainFile]) renameSync(path(staged), path(dataDir));
    syncPath(dataDir);
    rmSync(join(dataDir, POSTGRES_FILE), { force: true });
    return { from: source.name, to: target, ...copied };
  } finally {
    rmSync(staged, { recursive: true, force: true });
    await source.close();
  }
}

/** Returns the names of a database file and of those that belong to it, such as its checksum. */
const filesOf = (file: string): readonly string[] =>
  existsSync(dirname(file))
    ? readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)))
    : [];

/**
 * Checks the database of the installation: migrations, row numbers, the SQLite file and the audit log. `against`: another
 * database whose tables are compared with these. @throws SetupError if there is no database
 */
async function checkDatabase(config: Config, { against, progress }: CheckOptions): Promise<DatabaseCheck> {
  if (against !== undefined) assertTarget(against);
  const migrations = await dataVersionOf(config);
  if (migrations === null)
    throw new SetupError(
      `There is no database of Market Signal at ${await nameOf(config)}; start the server once, or set DATA_DIR and DATABASE_URL to those of the server`,
    );
  const isComplete = migrations.missing.length === 0 && migrations.newer.length === 0;
  const file = mainFile(config.DATA_DIR);
  const damage = config.DATABASE_URL === undefined ? findFileDamage(file) : null;
  const audit = isComplete && damage === null ? await checkAudit(config) : null;
  const source = await openSource(config, { isAlone: false });
  try {
    const onTable = (message: string) => progress?.({ done: 0, message });
    const behind = (await source.sequences()).filter(({ last, highest }) => last < highest);
    const tables = await describeRows(source, onTable);
    const compared =
      against === undefined
        ? null
        : await compareWith(
            tables,
            { ...config, DATABASE_URL: against === SQLITE ? undefined : against },
            onTable,
          );
    return {
      database: source.name,
      ok:
        isComplete &&
        damage === null &&
        behind.length === 0 &&
        audit?.ok === true &&
        (compared === null || compared.tables.every(({ equal }) => equal)),
      migrations,
      sequences_behind: behind,
      damage: damage === null ? null : String(damage),
      audit,
      tables,
      against: compared,
    };
  } finally {
    await source.close();
  }
}

async function compareWith(
  tables: DatabaseCheck["tables"],
  config: Config,
  onTable: (name: string) => void,
): Promise<DatabaseCheck["against"]> {
  const other = await openSource(config, { isAlone: false });
  try {
    return { database: other.name, tables: compareTables(tables, await describeRows(other, onTable)) };
  } finally {
    await other.close();
  }
}

async function checkAudit(config: Config): Promise<DatabaseCheck["audit"]> {
  const note = join(config.DATA_DIR, POSTGRES_FILE);
  const isNoted = existsSync(note);
  const audit = createAuditService(await openInstallation(config));
  try {
    return await audit.check({ head: undefined, exported: undefined });
  } finally {
    await audit.close();
    if (!isNoted) rmSync(note, { force: true }); // a check does not move the data of a folder to PostgreSQL
  }
}

/** Returns the migrations of the database without applying any; null for one that has none. */
export async function dataVersionOf({
  DATA_DIR: dataDir,
  DATABASE_URL: url,
}: Pick<Config, "DATA_DIR" | "DATABASE_URL">): Promise<DataVersion | null> {
  if (url === undefined) return readDataVersion(dataDir);
  const applied = await (await postgres()).appliedAt(url);
  if (applied.length === 0) return null;
  return {
    applied,
    missing: Object.keys(MIGRATIONS).filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !(name in MIGRATIONS)),
  };
}

async function nameOf({ DATA_DIR: dataDir, DATABASE_URL: url }: Config): Promise<string> {
  return url === undefined ? mainFile(dataDir) : (await postgres()).describeUrl(url);
}

async function openSource(config: Config, options: { readonly isAlone: boolean }) {
  const { DATA_DIR: dataDir, DATABASE_URL: url } = config;
  if (url !== undefined) return (await postgres()).openPostgresSource(url, options);
  const file = mainFile(dataDir);
  if (!existsSync(file)) throw new SetupError(`There is no SQLite database at ${file}`);
  return openSqliteSource({ file, counters: countersFile(dataDir) });
}

/** @throws SetupError if the database is missing, or has not exactly the migrations of this version */
async function assertComplete(config: Config): Promise<void> {
  const data = await dataVersionOf(config);
  const name = await nameOf(config);
  if (data === null) throw new SetupError(`There is no database of Market Signal to copy at ${name}`);
  if (data.newer.length > 0)
    throw new SetupError(
      `The database ${name} was migrated by a newer version of Market Signal (${data.newer.join(", ")}); run the command of that version`,
    );
  if (data.missing.length > 0)
    throw new SetupError(
      `The database ${name} lacks migrations (${data.missing.join(", ")}); run \`market-signal db migrate\`, then the command again`,
    );
}

/** @throws SetupError for a text that is neither an address of PostgreSQL nor `sqlite`; it may contain a password */
function assertTarget(text: string): void {
  if (text !== SQLITE && !isPostgresUrl(text))
    throw new SetupError(
      `${/^[\w./-]*$/.test(text) ? JSON.stringify(text) : "The address"} is not a database: use ${POSTGRES_FORM}, or ${SQLITE} for SQLite in DATA_DIR. Another data folder is filled by \`market-signal backup\` and \`market-signal restore\``,
    );
}
