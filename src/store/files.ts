import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import { SetupError } from "../lib/setup-error.ts";
import { newestBackup } from "./backup.ts";
import { checksumPath, isChecksumValid, removeChecksum } from "./checksum.ts";
import { privateFile } from "./data-dir.ts";

const BUSY_MS = 5_000;
const COUNTERS_BUSY_MS = 250;

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
  const db = new Database(file, { timeout: BUSY_MS });
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
  const db = new Database(file, { timeout: COUNTERS_BUSY_MS });
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

/** Returns the result of the integrity check; null when the file is intact. */
function findDamage(db: Database.Database): unknown {
  try {
    const found = db.pragma("integrity_check(1)", { simple: true });
    return found === "ok" ? null : found;
  } catch (cause) {
    if (cause instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(cause.code)) return cause;
    throw cause;
  }
}

function recoveryMessage(file: string, dataDir: string): string {
  const backup = newestBackup(dataDir);
  const rest = [`${file}-wal`, `${file}-shm`, checksumPath(file)].map(quote).join(" ");
  const remedy =
    backup === null
      ? `There is no backup. To start with an empty database, stop every server on this folder and run: mv ${quote(file)} ${quote(`${file}.damaged`)}; rm -f ${rest}`
      : `The newest backup is ${backup}. To restore it, stop every server on this folder and run: rm -f ${rest} && cp ${quote(backup)} ${quote(file)}`;
  return `The database ${file} is damaged. ${remedy}`;
}

const quote = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`;
