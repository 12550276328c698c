import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../lib/make-folder.ts";
import { privateFile, syncPath } from "./data-dir.ts";
import type { Database } from "./sqlite/database.ts";

const PARTIAL = ".partial";
/** Time at the end of the name of a backup. */
const STAMP = /-(\d{8}T\d{9}Z)\.db$/;

/** Writes a durable copy of the database to `<dataDir>/backups`, readable by the owner only. Returns its path. */
export function backUp(db: Database, dataDir: string, label: string, now: Date): string {
  const folder = join(dataDir, "backups");
  makeFolder(folder);
  const file = join(folder, `market-signal-${label}-${backupStamp(now)}.db`);
  const partial = `${file}${PARTIAL}`;
  rmSync(partial, { force: true });
  privateFile(partial);
  try {
    db.prepare("VACUUM INTO ?").run(partial);
    syncPath(partial);
    renameSync(partial, file);
  } finally {
    rmSync(partial, { force: true });
  }
  syncPath(folder);
  return file;
}

/** Returns a time as it stands in the name of a backup. */
export const backupStamp = (at: Date): string => at.toISOString().replaceAll(/[-:.]/g, "");

/** Deletes partial backups last written before a time, which a process left when it ended. */
export function removeAbandoned(dataDir: string, before: Date): void {
  const folder = join(dataDir, "backups");
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter((one) => one.endsWith(PARTIAL))) {
    const path = join(folder, name);
    if (statSync(path).mtimeMs < before.getTime()) rmSync(path, { force: true });
  }
}

/**
 * Returns the path of the newest backup by the time in its name; null without one. Backups of the future, made while
 * the clock was ahead, count only if there is no other.
 */
export function newestBackup(dataDir: string, now: Date): string | null {
  const folder = join(dataDir, "backups");
  if (!existsSync(folder)) return null;
  const stampOf = (name: string): string => STAMP.exec(name)?.[1] ?? "";
  const names = readdirSync(folder)
    .filter((name) => STAMP.test(name))
    .sort((a, b) => (stampOf(a) < stampOf(b) ? -1 : 1));
  const newest = names.findLast((name) => stampOf(name) <= backupStamp(now)) ?? names.at(-1);
  return newest === undefined ? null : join(folder, newest);
}
