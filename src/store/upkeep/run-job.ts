import { withSqliteCopy } from "../copy/to-sqlite.ts";
import { Database } from "../sqlite/database.ts";
import {
  backUpDue,
  backUpNow,
  checkAndBackUp,
  failedBackup,
  failureText,
  isBackupDue,
  type ManualBackup,
  type ManualBackupJob,
  NOTHING_DUE,
  type UpkeepJob,
  type UpkeepResult,
} from "./check-and-back-up.ts";
import type { UpkeepJobs } from "./upkeep.ts";

/**
 * Checks the database and writes a scheduled backup if one is due. PostgreSQL checks itself, and is copied into a database
 * of SQLite for the time of the backup.
 */
async function runUpkeep(job: UpkeepJob): Promise<UpkeepResult> {
  const { url, dataDir, now } = job;
  if (url === undefined) return checkAndBackUp(job);
  if (!isBackupDue(job)) return NOTHING_DUE;
  try {
    return await withSqliteCopy({ url, dataDir, now: new Date(now) }, ({ file, snapshots }) => {
      const db = new Database(file);
      try {
        return backUpDue(db, { ...job, snapshots });
      } finally {
        db.close();
      }
    });
  } catch (cause) {
    return failedBackup(job, cause);
  }
}

/** Writes a backup that the owner requested. */
async function runManualBackup(job: ManualBackupJob): Promise<ManualBackup> {
  const { url, dataDir, now } = job;
  if (url === undefined) return backUpNow(job);
  try {
    return await withSqliteCopy({ url, dataDir, now: new Date(now) }, (copy) =>
      backUpNow({ ...job, ...copy }),
    );
  } catch (cause) {
    return { failure: failureText(dataDir, cause), noRoom: false };
  }
}

export const upkeepJobs: UpkeepJobs = { upkeep: runUpkeep, backup: runManualBackup };
