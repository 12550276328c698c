import { readFileSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BackupFailure } from "../../domain/backups/backups.ts";
import { shellQuoted } from "../../lib/shell-quote.ts";
import { currentUser, describeUser, fileUser } from "../../lib/users.ts";
import { privateFile } from "../data-dir.ts";

/** Returns the folder of the backups in a data folder. */
export const backupsFolder = (dataDir: string): string => join(dataDir, "backups");

/** File in the data folder with the failure of the last scheduled backup; missing after one that was written. */
const failureFile = (dataDir: string): string => join(dataDir, "backup-failure.json");

/**
 * Returns why a user cannot write backups to the folder of a data folder, with the command that mends it; null if it can.
 * Default user: that of this process.
 */
export function backupsFolderFault(dataDir: string, user = currentUser()): string | null {
  const folder = backupsFolder(dataDir);
  let stats: Stats | undefined;
  try {
    stats = statSync(folder, { throwIfNoEntry: false });
  } catch {
    return null; // the data folder cannot be read, which opening it reports
  }
  if (stats === undefined) return null;
  const path = shellQuoted(folder);
  if (!stats.isDirectory())
    return `Backups cannot be written: ${folder} is a file; run: mv ${path} ${shellQuoted(`${folder}.old`)}`;
  if (user === null || user === 0) return null;
  if (stats.uid !== user)
    return `Backups cannot be written: the folder ${folder} belongs to ${describeUser(stats.uid)}, and the server runs as ${describeUser(user)}; run: sudo chown -R ${fileUser(user)} ${path}`;
  return (stats.mode & 0o700) === 0o700
    ? null
    : `Backups cannot be written: the folder ${folder} of ${describeUser(user)} is read-only; run: chmod 700 ${path}`;
}

/** Stores the failure of a scheduled backup for `doctor`; on a full disk it is only logged. */
export function saveBackupFailure(dataDir: string, failure: BackupFailure): void {
  try {
    const file = failureFile(dataDir);
    const partial = `${file}.partial`;
    privateFile(partial);
    writeFileSync(partial, JSON.stringify(failure));
    renameSync(partial, file);
  } catch {}
}

/** Returns the failure of the last scheduled backup; null if it was written. */
export function readBackupFailure(dataDir: string): BackupFailure | null {
  try {
    return BackupFailure.parse(JSON.parse(readFileSync(failureFile(dataDir), "utf8")));
  } catch {
    return null;
  }
}

/** Forgets the failure of the last scheduled backup. */
export const clearBackupFailure = (dataDir: string): void => rmSync(failureFile(dataDir), { force: true });
