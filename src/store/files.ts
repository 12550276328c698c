import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import { SetupError } from "../lib/setup-error.ts";
import { newestBackup } from "./backup.ts";
import { checksumPath, isChecksumValid, removeChecksum } from "./checksum.ts";
import { privateFile } from "./data-dir.ts";
import { findDamage } from "./integrity.ts";

/** Time for which a statement blocks this process while another one writes: longer before the server accepts calls. */
const OPENING_BUSY_MS = 5_000;
const BUSY_MS = 50;

/**
 * Opens the main database after verifying its checksum or, without one, its integrity. @throws SetupError with recovery
 * steps when it is damaged.
 */
export function openMain(file: string, dataDir: string): Database.Database {
  privateFile(file);
  const checksumMatches = isChecksumValid(file);
  if (checksumMatches === false)
    throw new SetupError(
      `${recoveryMessage(file, dataDir)} (If it was changed on purpose, delete ${checksumPath(file)} instead.)`,
    );
  const db = new Database(file, { timeout: OPENING_BUSY_MS });
  try {
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
 * Opens the counters database, which may lose its last writes in a power failure. A damaged file is replaced by a new
 * one.
 */
export function openCounters(file: string, onDamaged: () => void): Database.Database {
  privateFile(file);
  const db = new Database(file, { timeout: BUSY_MS });
  if (findDamage(db) !== null) {
    db.close();
    for (const path of [file, `${file}-wal`, `${file}-shm`]) rmSync(path, { force: true });
    onDamaged();
    return openCounters(file, onDamaged);
  }
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = OFF");
  return db;
}

/** Returns the message for the server owner that a database is damaged, with the commands that restore it. */
export function recoveryMessage(file: string, dataDir: string): string {
  const backup = newestBackup(dataDir);
  const rest = [`${file}-wal`, `${file}-shm`, checksumPath(file)].map(quote).join(" ");
  const remedy =
    backup === null
      ? `There is no backup. To start with an empty database, stop every server on this folder and run: mv ${quote(file)} ${quote(`${file}.damaged`)}; rm -f ${rest}`
      : `The newest backup is ${backup}. To restore it, stop every server on this folder and run: rm -f ${rest} && cp ${quote(backup)} ${quote(file)}`;
  return `The database ${file} is damaged. ${remedy}`;
}

/** Ends the long wait for other processes that opening allows. */
export const endOpening = (db: Database.Database): void => void db.pragma(`busy_timeout = ${BUSY_MS}`);

const quote = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`;
