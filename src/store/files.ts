import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import { SetupError } from "../lib/setup-error.ts";
import { newestBackup } from "./backup.ts";
import { privateFile } from "./data-dir.ts";
import { breakSeal, sealHolds, sealOf } from "./vault/seal.ts";

const BUSY_MS = 5_000;
const COUNTERS_BUSY_MS = 250;

/** Opens the durable database after checking all of it; SetupError with the way back where it is damaged. */
export function openMain(file: string, dataDir: string): Database.Database {
  privateFile(file);
  const sealed = sealHolds(file);
  if (sealed === false)
    throw new SetupError(
      `${wayBack(file, dataDir)} (If it was changed by hand on purpose, delete ${sealOf(file)} instead.)`,
    );
  const db = new Database(file, { timeout: BUSY_MS });
  try {
    const fault = sealed ? null : damage(db);
    if (fault !== null) throw new SetupError(wayBack(file, dataDir), { cause: fault });
    breakSeal(file);
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/** Opens the counters, which may lose their last moments to a power cut; begins them anew where they are damaged. */
export function openCounters(file: string, damaged: () => void): Database.Database {
  privateFile(file);
  const db = new Database(file, { timeout: COUNTERS_BUSY_MS });
  if (damage(db) !== null) {
    db.close();
    for (const path of [file, `${file}-wal`, `${file}-shm`]) rmSync(path, { force: true });
    damaged();
    return openCounters(file, damaged);
  }
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = OFF");
  return db;
}

/** What SQLite finds wrong with the file; null when it is sound. */
function damage(db: Database.Database): unknown {
  try {
    const found = db.pragma("integrity_check(1)", { simple: true });
    return found === "ok" ? null : found;
  } catch (cause) {
    if (cause instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(cause.code)) return cause;
    throw cause;
  }
}

function wayBack(file: string, dataDir: string): string {
  const backup = newestBackup(dataDir);
  const rest = [`${file}-wal`, `${file}-shm`, sealOf(file)].map(quote).join(" ");
  const mend =
    backup === null
      ? `There is no backup. To begin anew, stop every server on this folder and run: mv ${quote(file)} ${quote(`${file}.damaged`)}; rm -f ${rest}`
      : `The newest backup is ${backup}. To restore it, stop every server on this folder and run: rm -f ${rest} && cp ${quote(backup)} ${quote(file)}`;
  return `The database ${file} is damaged. ${mend}`;
}

const quote = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`;
