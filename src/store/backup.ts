import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type Database from "better-sqlite3";
import { makeFolder } from "../lib/make-folder.ts";
import { privateFile, syncPath } from "./data-dir.ts";

/** Writes a durable copy of the database to `<dataDir>/backups`, readable by the owner only. Returns its path. */
export function backUp(db: Database.Database, dataDir: string, label: string, now: Date): string {
  const folder = join(dataDir, "backups");
  makeFolder(folder);
  const stamp = now.toISOString().replaceAll(/[-:.]/g, "");
  const file = join(folder, `market-signal-${label}-${stamp}.db`);
  const partial = `${file}.partial`;
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

/** Returns the path of the newest backup; null without one. */
export function newestBackup(dataDir: string): string | null {
  const folder = join(dataDir, "backups");
  if (!existsSync(folder)) return null;
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".db"))
    .map((name) => join(folder, name));
  return files.sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs).at(-1) ?? null;
}
