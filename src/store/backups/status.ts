import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BackupStatus, HookResult } from "../../domain/backups/backups.ts";
import { backupTime, newestBackup } from "./backup.ts";
import { backupsFolder, backupsFolderFault, readBackupFailure } from "./failure.ts";

/** File in the folder of backups with the last result of BACKUP_HOOK. */
const HOOK_FILE = "hook.json";

export const hookFile = (dataDir: string): string => join(backupsFolder(dataDir), HOOK_FILE);

/**
 * Returns the newest backup in the data folder by the time in its name, the last result of BACKUP_HOOK, and why backups
 * fail.
 */
export function backupStatus(dataDir: string, now: Date): BackupStatus {
  const file = newestBackup(dataDir, now);
  const at = file === null ? null : backupTime(file);
  return {
    newest: file === null || at === null ? null : { file, age_ms: now.getTime() - at.getTime() },
    hook: readHookResult(hookFile(dataDir)),
    fault: backupsFolderFault(dataDir),
    failure: readBackupFailure(dataDir),
  };
}

/** Returns null if the file is missing or cannot be read. */
function readHookResult(file: string): HookResult | null {
  try {
    return HookResult.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}
