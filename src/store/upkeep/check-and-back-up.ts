import { readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { backUp, backupStamp, removeAbandoned } from "../backup.ts";
import { findDamage } from "../integrity.ts";
import { Database } from "../sqlite/database.ts";

export interface UpkeepJob {
  readonly file: string;
  readonly dataDir: string;
  /** Present time, epoch ms. */
  readonly now: number;
}

export interface UpkeepResult {
  /** Result of the integrity check as text; null when the database is intact. */
  readonly damage: string | null;
  /** Path of the backup written; null when none was due or possible. */
  readonly backup: string | null;
  /** True if a backup was due and the disk has no room for it. */
  readonly noRoom: boolean;
}

const DAY_MS = 86_400_000;
const BACKUPS_KEPT = 7;
const LABEL = "daily";
/** Free space that a backup must leave, as a multiple of the size of the database. */
const ROOM = 2;
/** Age at which a partial backup was left by a process that ended. */
const ABANDONED_MS = 3_600_000;

/**
 * Runs the full integrity check on a connection of its own and, if the database is intact and the last daily backup is
 * a day old, writes the next one and deletes all but the newest seven and those of the future. Takes seconds for a large database.
 */
export function checkAndBackUp({ file, dataDir, now }: UpkeepJob): UpkeepResult {
  const db = new Database(file);
  try {
    const damage = findDamage(db);
    if (damage !== null) return { damage: String(damage), backup: null, noRoom: false };
    if (!isBackupDue(file, dataDir, now)) return { damage: null, backup: null, noRoom: false };
    const { bavail, bsize } = statfsSync(dataDir);
    if (bavail * bsize < ROOM * statSync(file).size) return { damage: null, backup: null, noRoom: true };
    removeAbandoned(dataDir, new Date(now - ABANDONED_MS));
    const backup = backUp(db, dataDir, LABEL, new Date(now));
    const past = dailyBackups(dataDir).filter((path) => path <= backup);
    for (const old of past.slice(0, -BACKUPS_KEPT)) rmSync(old, { force: true });
    return { damage: null, backup, noRoom: false };
  } finally {
    db.close();
  }
}

/** A new database has its first daily backup after a day. A backup of the future does not count. */
function isBackupDue(file: string, dataDir: string, now: number): boolean {
  const age = now - statSync(file).birthtimeMs;
  if (age >= 0 && age < DAY_MS) return false;
  const [since, until] = [now - DAY_MS, now].map(
    (at) => `market-signal-${LABEL}-${backupStamp(new Date(at))}.db`,
  );
  return !dailyBackups(dataDir).some((path) => basename(path) > since! && basename(path) <= until!);
}

/** Returns the paths of the daily backups, oldest first. */
function dailyBackups(dataDir: string): readonly string[] {
  const folder = join(dataDir, "backups");
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(`market-signal-${LABEL}-`) && name.endsWith(".db"))
      .sort()
      .map((name) => join(folder, name));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw cause;
  }
}
