import { existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { SetupError } from "../lib/setup-error.ts";
import { shellQuoted } from "../lib/shell-quote.ts";
import { AUDIT_HEAD_FILE, auditHeadFile } from "./audit/audit-head.ts";
import { backupStamp, newestBackup } from "./backups/backup.ts";
import { backupsFolderFault } from "./backups/failure.ts";
import { backupDataVersion } from "./backups/open-backup.ts";
import { checksumPath, isChecksumValid, removeChecksum } from "./checksum.ts";
import { FIRST_KEY_FILE, hasRoom, OPEN_LINK_FILE, privateFile } from "./data-dir.ts";
import { commandOnFolder } from "./data-owner.ts";
import { findDamage } from "./integrity.ts";
import { SqliteError } from "./sqlite/connection.ts";
import { Database } from "./sqlite/database.ts";

/** Time for which a statement of an opening database blocks this process while another one writes. */
const OPENING_BUSY_MS = 5_000;

/** Size of the page cache of the main database in KiB. */
const CACHE_KIB = 16_000;

/** The open main database. */
export interface OpenMain {
  readonly raw: Database;
  /** Error of the full disk; null if the disk has room. */
  readonly full: unknown;
  /** True if nothing can be written until `allowWrites`. */
  readonly readOnly: boolean;
}

/**
 * Opens the main database after verifying its checksum or, without one, its integrity; read-only on a disk without room
 * for the shared memory of its write-ahead log. @throws SetupError with recovery steps when it is damaged.
 */
export function openMain(file: string, dataDir: string, now: Date): OpenMain {
  privateFile(file);
  const checksumMatches = isChecksumValid(file);
  if (checksumMatches === false)
    throw new SetupError(
      `If ${file} was changed on purpose, delete ${checksumPath(file)}. Otherwise: ${recoveryMessage(file, dataDir, now)}`,
    );
  const full = hasRoom(dataDir) ? null : new SqliteError("less than 1 MB is free", "SQLITE_FULL");
  const open = (prepare: (db: Database) => void, locking: "NORMAL" | "EXCLUSIVE") =>
    openChecked({ file, dataDir, now, checksumMatches: checksumMatches === true, locking, prepare });
  try {
    return { raw: open((db) => startWriteAheadLog(db, full), "NORMAL"), full, readOnly: false };
  } catch (cause) {
    if (!isDiskFull(cause)) throw cause;
    return { raw: open(shareForReading, "EXCLUSIVE"), full: cause, readOnly: true };
  }
}

interface OpenOptions {
  readonly file: string;
  readonly dataDir: string;
  readonly now: Date;
  readonly checksumMatches: boolean;
  readonly locking: "NORMAL" | "EXCLUSIVE";
  /** Sets up writing, once the database is found intact. */
  readonly prepare: (db: Database) => void;
}

function openChecked({ file, dataDir, now, checksumMatches, locking, prepare }: OpenOptions): Database {
  const db = new Database(file, { timeout: OPENING_BUSY_MS });
  try {
    db.pragma(`locking_mode = ${locking}`);
    const fault = checksumMatches ? null : findDamage(db);
    if (fault !== null) throw new SetupError(recoveryMessage(file, dataDir, now), { cause: fault });
    removeChecksum(file);
    prepare(db);
    db.pragma("synchronous = FULL");
    db.pragma(`cache_size = -${CACHE_KIB}`);
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/** @throws the error of the full disk, if the database has no write-ahead log yet */
function startWriteAheadLog(db: Database, full: unknown): void {
  if (full !== null && db.pragma("journal_mode", { simple: true }) !== "wal") throw full;
  db.pragma("journal_mode = WAL");
  db.pragma("schema_version"); // This read needs the shared memory.
}

/**
 * Ends the write-ahead log of a database opened for this process alone, so that other processes can read it as well. If
 * the log holds changes for which the database has no room, the database stays with this process.
 */
function shareForReading(db: Database): void {
  try {
    db.pragma("journal_mode = MEMORY");
    db.pragma("locking_mode = NORMAL");
    db.pragma("schema_version"); // This read releases the lock.
  } catch (cause) {
    if (!isDiskFull(cause)) throw cause;
  }
  db.pragma("query_only = ON");
}

/**
 * Refuses a database that lacks what the files beside it prove it had: a copy of the main file without its write-ahead
 * log would open as an empty installation. @throws SetupError with the files to copy and the command to start empty
 */
export function refuseEmptyCopy(db: Database, file: string, dataDir: string, now: Date): void {
  const hasRows = (table: string): boolean =>
    hasTable(db, table) && db.prepare(`SELECT 1 FROM ${table}`).get() !== undefined;
  const evidence = [
    { path: countersFile(dataDir), holds: hasTable(db, "keys") },
    { path: join(dataDir, FIRST_KEY_FILE), holds: hasRows("keys") },
    { path: join(dataDir, AUDIT_HEAD_FILE), holds: hasRows("keys") || hasRows("audit_key") },
  ];
  const left = evidence.filter(({ path, holds }) => !holds && existsSync(path));
  if (left.length === 0) return;
  const names = left.map(({ path }) => basename(path)).join(", ");
  throw new SetupError(
    `The database ${file} is empty, but ${names} beside it came from one that was not: this is probably a copy without ${basename(file)}-wal. Stop the server of the original and copy all files of its folder. To start with an empty database instead, run: ${moveAsideCommand(file, dataDir, now)}`,
  );
}

/**
 * Returns what to do about entries of the audit log that the head file records and the database lacks, for the server
 * owner; null if there are none.
 */
export function missingEntriesMessage(db: Database, file: string, dataDir: string): string | null {
  // Read first: an entry is in the database before it is in the head file.
  const noted = auditHeadFile(dataDir).read()?.seq ?? 0;
  const last = Number(db.prepare("SELECT max(seq) FROM audit_log").pluck().get());
  if (noted <= last) return null;
  const rest = [`${file}-wal`, `${file}-shm`].map(shellQuoted).join(" ");
  return `The database ${file} lacks entries ${last + 1} to ${noted} of the audit log. After a backup was restored this is expected, and reported until the next entry is written. Otherwise it is probably a copy without ${basename(file)}-wal: stop this server and that of the original, and run: rm -f ${rest} && cp -p <folder of the original>/${basename(file)}* ${shellQuoted(dataDir)}`;
}

const hasTable = (db: Database, name: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== undefined;

/** Allows writes to a database that was opened read-only, once the disk has room. */
export function allowWrites(db: Database): void {
  removeChecksum(db.name); // Another process may have written it, as the database looks closed without a log.
  const isAlone = db.pragma("locking_mode", { simple: true }) === "exclusive";
  if (isAlone) db.pragma("journal_mode = DELETE");
  db.pragma("locking_mode = NORMAL");
  db.pragma("journal_mode = WAL");
  db.pragma("query_only = OFF");
}

const isDiskFull = (cause: unknown): boolean =>
  cause instanceof SqliteError && /^SQLITE_(FULL|IOERR|CANTOPEN)/.test(cause.code);

/**
 * Opens the counters database, which may lose its last writes in a power failure. A damaged file is replaced by a new
 * one. On a full disk the counters are held in memory.
 */
export function openCounters(file: string, onDamaged: () => void): Database {
  privateFile(file);
  const db = new Database(file, { timeout: OPENING_BUSY_MS });
  try {
    if (findDamage(db) === null) {
      db.pragma("journal_mode = WAL");
      db.pragma("synchronous = OFF");
      db.pragma("schema_version"); // This read takes the shared lock by which others see that the folder is in use.
      return db;
    }
  } catch (cause) {
    db.close();
    if (isDiskFull(cause)) return new Database(":memory:");
    throw cause;
  }
  db.close();
  for (const path of [file, `${file}-wal`, `${file}-shm`]) rmSync(path, { force: true });
  onDamaged();
  return openCounters(file, onDamaged);
}

/** Returns the path of the main database. */
export const mainFile = (dataDir: string): string => join(dataDir, "market-signal.db");

/** Returns the path of the counters database. */
export const countersFile = (dataDir: string): string => join(dataDir, "meters.db");

/** Returns the message for the server owner that a database is damaged, with the commands that restore it. */
export function recoveryMessage(file: string, dataDir: string, now: Date): string {
  const backup = newestBackup(dataDir, now);
  const fault = backupsFolderFault(dataDir);
  if (fault !== null) return `The database ${file} is damaged, and its backups cannot be read. ${fault}`;
  const remedy =
    backup === null
      ? `There is no backup. To start with an empty database, stop every server on this folder and run: ${moveAsideCommand(file, dataDir, now)}`
      : `The newest backup is ${backup}. ${restoreSteps(backup, dataDir, "To restore it")}`;
  return `The database ${file} is damaged. ${remedy}`;
}

/**
 * Returns the message for the server owner that a database has a newer data version, with the command that restores the
 * newest backup that this version can read.
 */
export function newerMessage(
  file: string,
  {
    dataDir,
    now,
    known,
  }: { readonly dataDir: string; readonly now: Date; readonly known: readonly string[] },
): string {
  const backup = newestBackup(dataDir, now, (path) => known.includes(backupDataVersion(path) ?? ""));
  const remedy =
    backup === null
      ? "There is no backup that this version can read"
      : `The newest backup that this version can read is ${backup}. ${restoreSteps(backup, dataDir, "To go back to it")}`;
  return `The database ${file} was written by a newer version of Market Signal; run that version again. ${remedy}`;
}

/** Returns what restoring a backup leaves out, and the command that restores it in its data folder. */
const restoreSteps = (backup: string, dataDir: string, aim: string): string =>
  `Data written since that backup is not in the restored folder; the command keeps it in the folder aside-<time> in ${dataDir}. ${aim}, stop every server on this folder and run: ${commandOnFolder(dataDir, `restore --replace ${shellQuoted(backup)}`)}`;

/** Returns the command that moves the databases and all files that depend on them to a new folder beside them. */
function moveAsideCommand(file: string, dataDir: string, now: Date): string {
  const files = [
    ...[file, countersFile(dataDir)].flatMap((path) => [path, `${path}-wal`, `${path}-shm`]),
    checksumPath(file),
    join(dataDir, FIRST_KEY_FILE),
    join(dataDir, OPEN_LINK_FILE),
    join(dataDir, AUDIT_HEAD_FILE),
  ];
  const folder = shellQuoted(join(dataDir, `aside-${backupStamp(now)}`));
  return `mkdir -p ${folder} && for f in ${files.map(shellQuoted).join(" ")}; do [ ! -e "$f" ] || mv "$f" ${folder}; done`;
}

/** Ends the wait for other processes that opening allows: from now on no statement blocks the event loop. */
export const endOpening = (db: Database): void => void db.pragma("busy_timeout = 0");
