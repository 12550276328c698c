import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { WrittenBackup } from "../../domain/backups/backups.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { version } from "../../lib/version.ts";
import { privateFile, syncPath } from "../data-dir.ts";
import type { Database } from "../sqlite/database.ts";
import { addContents, type ContentOptions, readSmallFiles } from "./contents.ts";
import { backupsFolder, backupsFolderFault, clearBackupFailure } from "./failure.ts";
import { openBackup } from "./open-backup.ts";

const PARTIAL = ".partial";
/** Time at the end of the name of a backup. */
const STAMP = /-(\d{8}T\d{9}Z)\.db$/;

interface CopyOptions {
  readonly db: Database;
  readonly dataDir: string;
  /** Part of the name of the file. */
  readonly label: string;
  readonly now: Date;
  /** Path of the file. Default: a new file in `<dataDir>/backups`. */
  readonly out?: string | undefined;
  /** Default: no keys. */
  readonly keys?: ContentOptions["keys"];
  /** Small files of the data folder, for a copy of the database made before. Default: as they are now. */
  readonly snapshots?: ContentOptions["snapshots"] | undefined;
}

/**
 * Writes a durable copy of the database with a manifest and the other files of the data folder, readable by the owner
 * only, also while other processes write. The copy is verified before it gets its name. @throws SetupError if the copy is
 * damaged or the folder of the backups cannot be written to, SqliteError if the database cannot be copied
 */
export function backUp({
  db,
  dataDir,
  label,
  now,
  out,
  keys = null,
  snapshots: given,
}: CopyOptions): WrittenBackup {
  const file = out ?? join(backupsFolder(dataDir), backupName(label, now));
  const fault = out === undefined ? backupsFolderFault(dataDir) : null;
  if (fault !== null) throw new SetupError(fault);
  if (out === undefined) makeFolder(dirname(file));
  const partial = `${file}${PARTIAL}`;
  rmSync(partial, { force: true });
  privateFile(partial);
  try {
    const snapshots = given ?? readSmallFiles(dataDir);
    db.prepare("VACUUM INTO ?").run(partial);
    const manifest = addContents(partial, { dataDir, snapshots, version: version(), now, keys });
    const { bytes } = openBackup(partial);
    syncPath(partial);
    if (out !== undefined && existsSync(out)) throw existsError(out);
    renameSync(partial, file);
    syncPath(dirname(file));
    if (out === undefined) clearBackupFailure(dataDir);
    return { file, bytes, manifest };
  } finally {
    rmSync(partial, { force: true });
  }
}

export const existsError = (file: string): SetupError => new SetupError(`${file} exists; name another file`);

/**
 * Returns the paths of the backups in a data folder, oldest first by the time in their names; none if this user cannot
 * read their folder.
 */
export function backupsIn(dataDir: string): readonly string[] {
  const folder = backupsFolder(dataDir);
  if (!existsSync(folder) || backupsFolderFault(dataDir) !== null) return [];
  return readdirSync(folder)
    .filter((name) => stampOf(name) !== null)
    .sort((a, b) => (stampOf(a)! < stampOf(b)! ? -1 : 1))
    .map((name) => join(folder, name));
}

/** Returns the name of a new backup. */
export const backupName = (label: string, now: Date): string =>
  `market-signal-${label}-${backupStamp(now)}.db`;

/** Returns a time as it stands in the name of a backup. */
export const backupStamp = (at: Date): string => at.toISOString().replaceAll(/[-:.]/g, "");

/** Deletes partial backups last written before a time, which a process left when it ended. */
export function removeAbandoned(dataDir: string, before: Date): void {
  const folder = backupsFolder(dataDir);
  if (!existsSync(folder) || backupsFolderFault(dataDir) !== null) return;
  for (const name of readdirSync(folder).filter((one) => one.endsWith(PARTIAL))) {
    const path = join(folder, name);
    if (statSync(path).mtimeMs < before.getTime()) rmSync(path, { force: true });
  }
}

/** Returns the time at the end of the name of a backup as it stands there; null for another file. */
export const stampOf = (name: string): string | null => STAMP.exec(name)?.[1] ?? null;

/** Returns the time in the name of a backup; null for another file. */
export function backupTime(name: string): Date | null {
  const [, y, mo, d, h, mi, s, ms] =
    /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(stampOf(name) ?? "") ?? [];
  return y === undefined ? null : new Date(`${y}-${mo}-${d}T${h}:${mi}:${s}.${ms}Z`);
}

/**
 * Returns the path of the newest usable backup by the time in its name; null without one. Backups of the future, made
 * while the clock was ahead, count only if there is no other. Default: every backup is usable.
 */
export function newestBackup(
  dataDir: string,
  now: Date,
  isUsable: (file: string) => boolean = () => true,
): string | null {
  const files = backupsIn(dataDir).toReversed();
  const isFuture = (file: string): boolean => stampOf(file)! > backupStamp(now);
  return [...files.filter((file) => !isFuture(file)), ...files.filter(isFuture)].find(isUsable) ?? null;
}
