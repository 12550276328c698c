import { existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import Database from "better-sqlite3";
import { SetupError } from "../lib/setup-error.ts";
import { AUDIT_HEAD_FILE } from "./audit/audit-head.ts";
import { newestBackup } from "./backup.ts";
import { checksumPath, isChecksumValid, removeChecksum } from "./checksum.ts";
import { FIRST_KEY_FILE, privateFile, quoted } from "./data-dir.ts";
import { findDamage } from "./integrity.ts";

/** Time for which a statement of an opening database blocks this process while another one writes. */
const OPENING_BUSY_MS = 5_000;

/** The open main database; `full` is the reason why nothing can be stored, null if something can. */
export interface OpenMain {
  readonly raw: Database.Database;
  readonly full: unknown;
}

/**
 * Opens the main database after verifying its checksum or, without one, its integrity. On a full disk it is opened for
 * this process alone, which needs no file for shared memory. @throws SetupError with recovery steps when it is damaged.
 */
export function openMain(file: string, dataDir: string): OpenMain {
  privateFile(file);
  const checksumMatches = isChecksumValid(file);
  if (checksumMatches === false)
    throw new SetupError(
      `${recoveryMessage(file, dataDir)} (If it was changed on purpose, delete ${checksumPath(file)} instead.)`,
    );
  try {
    return { raw: openChecked(file, dataDir, checksumMatches === true), full: null };
  } catch (cause) {
    if (!isDiskFull(cause)) throw cause;
    return { raw: openChecked(file, dataDir, checksumMatches === true, "EXCLUSIVE"), full: cause };
  }
}

function openChecked(
  file: string,
  dataDir: string,
  checksumMatches: boolean,
  locking: "NORMAL" | "EXCLUSIVE" = "NORMAL",
): Database.Database {
  const db = new Database(file, { timeout: OPENING_BUSY_MS });
  try {
    db.pragma(`locking_mode = ${locking}`);
    const fault = checksumMatches ? null : findDamage(db);
    if (fault !== null) throw new SetupError(recoveryMessage(file, dataDir), { cause: fault });
    removeChecksum(file);
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/**
 * Refuses a database that lacks what the files beside it prove it had: a copy of the main file without its write-ahead
 * log would open as an empty installation. @throws SetupError with the files to copy and the command to start empty
 */
export function refuseEmptyCopy(db: Database.Database, file: string, dataDir: string): void {
  const hasRows = (table: string): boolean =>
    hasTable(db, table) && db.prepare(`SELECT 1 FROM ${table}`).get() !== undefined;
  const evidence = [
    { path: countersFile(dataDir), holds: hasTable(db, "keys") },
    { path: join(dataDir, FIRST_KEY_FILE), holds: hasRows("keys") },
    { path: join(dataDir, AUDIT_HEAD_FILE), holds: hasRows("audit_key") },
  ];
  const left = evidence.filter(({ path, holds }) => !holds && existsSync(path)).map(({ path }) => path);
  if (left.length === 0) return;
  const names = left.map((path) => basename(path)).join(", ");
  throw new SetupError(
    `The database ${file} is empty, but ${names} beside it came from one that was not: this is probably a copy without ${basename(file)}-wal. Stop the server of the original and copy all files of its folder. To start with an empty database instead, run: rm -f ${left.map(quoted).join(" ")}`,
  );
}

const hasTable = (db: Database.Database, name: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== undefined;

/** Lets other processes use a database that was opened on a full disk, once the disk has room. */
export function endExclusiveUse(db: Database.Database): void {
  db.pragma("journal_mode = DELETE");
  db.pragma("locking_mode = NORMAL");
  db.pragma("journal_mode = WAL");
}

const isDiskFull = (cause: unknown): boolean =>
  cause instanceof Database.SqliteError && /^SQLITE_(FULL|IOERR|CANTOPEN)/.test(cause.code);

/**
 * Opens the counters database, which may lose its last writes in a power failure. A damaged file is replaced by a new
 * one. On a full disk the counters are held in memory.
 */
export function openCounters(file: string, onDamaged: () => void): Database.Database {
  privateFile(file);
  const db = new Database(file, { timeout: OPENING_BUSY_MS });
  try {
    if (findDamage(db) === null) {
      db.pragma("journal_mode = WAL");
      db.pragma("synchronous = OFF");
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

/** Returns the path of the counters database. */
export const countersFile = (dataDir: string): string => join(dataDir, "meters.db");

/** Returns the message for the server owner that a database is damaged, with the commands that restore it. */
export function recoveryMessage(file: string, dataDir: string): string {
  const backup = newestBackup(dataDir);
  const rest = [`${file}-wal`, `${file}-shm`, checksumPath(file)].map(quoted).join(" ");
  const counters = quoted(countersFile(dataDir));
  const remedy =
    backup === null
      ? `There is no backup. To start with an empty database, stop every server on this folder and run: mv ${quoted(file)} ${quoted(`${file}.damaged`)}; rm -f ${rest} ${counters}`
      : `The newest backup is ${backup}. To restore it, stop every server on this folder and run: rm -f ${rest} && cp ${quoted(backup)} ${quoted(file)}`;
  return `The database ${file} is damaged. ${remedy}`;
}

/** Ends the wait for other processes that opening allows: from now on no statement blocks the event loop. */
export const endOpening = (db: Database.Database): void => void db.pragma("busy_timeout = 0");
