import { rmSync, statfsSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { WrittenBackup } from "../../domain/backups/backups.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { backUp, backupStamp, backupsIn, removeAbandoned, stampOf } from "../backups/backup.ts";
import type { ContentOptions } from "../backups/contents.ts";
import { backupsFolder, clearBackupFailure, saveBackupFailure } from "../backups/failure.ts";
import { findDamage } from "../integrity.ts";
import { Database } from "../sqlite/database.ts";

export interface UpkeepJob {
  /** The database of SQLite; for PostgreSQL a file of the data folder that is as old as its use. */
  readonly file: string;
  /** Address of PostgreSQL; undefined for SQLite. */
  readonly url?: string | undefined;
  readonly dataDir: string;
  /** Present time, epoch ms. */
  readonly now: number;
  readonly schedule: BackupSchedule;
}

/** A backup that the owner requested. */
export interface ManualBackupJob extends Pick<UpkeepJob, "file" | "url" | "dataDir" | "now"> {
  readonly keys: ContentOptions["keys"];
}

/** Files that a copy of the database was made with. Default: as they are now. */
interface Copied {
  readonly snapshots?: ContentOptions["snapshots"];
}

/** The backup, or why it could not be written. */
export type ManualBackup =
  | { readonly written: WrittenBackup }
  | { readonly failure: string; readonly noRoom: boolean };

/** When a running server writes backups, and how many of them it keeps. */
export interface BackupSchedule {
  /** Time between two backups in milliseconds; null for none. */
  readonly everyMs: number | null;
  readonly keep: number;
}

const DAY_MS = 86_400_000;
/** A backup a day, of which seven are kept. */
export const DEFAULT_SCHEDULE: BackupSchedule = { everyMs: DAY_MS, keep: 7 };

export interface UpkeepResult {
  /** Result of the integrity check as text; null when the database is intact. */
  readonly damage: string | null;
  /** Path of the backup written; null when none was due or possible. */
  readonly backup: string | null;
  /** True if a backup was due and the disk has no room for it. */
  readonly noRoom: boolean;
  /** Why a backup that was due could not be written, in one sentence; null if it was written or none was due. */
  readonly failure: string | null;
}

export const NOTHING_DUE: UpkeepResult = { damage: null, backup: null, noRoom: false, failure: null };
/** Reason why a backup is skipped on a disk without room. */
export const NO_ROOM = "the disk has too little free space";
const LABEL = "scheduled";
/** Names of backups of a schedule; those of earlier versions are called daily. */
const SCHEDULED = /^market-signal-(scheduled|daily)-/;
/** Share of the interval after which the next backup is due, because clocks differ. */
const MIN_INTERVAL_SHARE = 0.95;
/** Free space that a backup needs, as a multiple of the size of the database. */
const FREE_SPACE_FACTOR = 2;
/** Age at which a partial backup was left by a process that ended. */
const ABANDONED_MS = 3_600_000;

/**
 * Runs the full integrity check on a connection of its own and, if the database is intact and the last scheduled
 * backup is an interval old, writes the next one and deletes all but the newest ones and those dated in the future. Takes
 * seconds for a large database. A backup that cannot be written is stored as a failure for `doctor`.
 */
export function checkAndBackUp(job: UpkeepJob): UpkeepResult {
  const db = new Database(job.file);
  try {
    const damage = findDamage(db);
    if (damage !== null) return { ...NOTHING_DUE, damage: String(damage) };
    return isBackupDue(job) ? backUpDue(db, job) : NOTHING_DUE;
  } finally {
    db.close();
  }
}

/** Writes the scheduled backup that is due. */
export function backUpDue(db: Database, job: UpkeepJob & Copied): UpkeepResult {
  const { dataDir } = job;
  if (!hasRoom(db.name, dataDir)) {
    saveFailure(job, `Backups cannot be written to ${backupsFolder(dataDir)}: ${NO_ROOM}`);
    return { ...NOTHING_DUE, noRoom: true };
  }
  try {
    return { ...NOTHING_DUE, backup: writeScheduled(db, job) };
  } catch (cause) {
    return failedBackup(job, cause);
  }
}

/** Stores why a scheduled backup failed. */
export function failedBackup(job: UpkeepJob, cause: unknown): UpkeepResult {
  const failure = failureText(job.dataDir, cause);
  saveFailure(job, failure);
  return { ...NOTHING_DUE, failure };
}

const saveFailure = ({ dataDir, now }: UpkeepJob, reason: string): void =>
  saveBackupFailure(dataDir, { at: new Date(now).toISOString(), reason });

/** Checks the database and writes a backup of it, also if none is due. */
export function backUpNow({ file, dataDir, now, keys, snapshots }: ManualBackupJob & Copied): ManualBackup {
  const db = new Database(file);
  try {
    const damage = findDamage(db);
    if (damage !== null) return { failure: `The database is damaged: ${String(damage)}`, noRoom: false };
    if (!hasRoom(file, dataDir)) return { failure: `No backup was written: ${NO_ROOM}`, noRoom: true };
    return { written: backUp({ db, dataDir, label: "manual", now: new Date(now), keys, snapshots }) };
  } catch (cause) {
    return { failure: failureText(dataDir, cause), noRoom: false };
  } finally {
    db.close();
  }
}

function hasRoom(file: string, dataDir: string): boolean {
  const { bavail, bsize } = statfsSync(dataDir);
  return bavail * bsize >= FREE_SPACE_FACTOR * statSync(file).size;
}

/** Writes a backup and deletes all but the newest ones. Returns its path. */
function writeScheduled(db: Database, { dataDir, now, schedule, snapshots }: UpkeepJob & Copied): string {
  removeAbandoned(dataDir, new Date(now - ABANDONED_MS));
  const backup = backUp({ db, dataDir, label: LABEL, now: new Date(now), snapshots }).file;
  const past = scheduledBackups(dataDir).filter((path) => stampOf(path)! <= stampOf(backup)!);
  for (const old of past.slice(0, -schedule.keep)) rmSync(old, { force: true });
  return backup;
}

/** Describes why a backup failed in one sentence that names its folder. */
export function failureText(dataDir: string, cause: unknown): string {
  if (cause instanceof SetupError) return cause.message;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return `Backups cannot be written to ${backupsFolder(dataDir)}: ${reason}`;
}

/** A new database has its first backup after an interval. A backup dated in the future does not count. */
export function isBackupDue({ file, dataDir, now, schedule: { everyMs } }: UpkeepJob): boolean {
  if (everyMs === null) {
    clearBackupFailure(dataDir);
    return false;
  }
  const age = now - statSync(file).birthtimeMs;
  if (age >= 0 && age < everyMs * MIN_INTERVAL_SHARE) return false;
  const [since, until] = [now - everyMs * MIN_INTERVAL_SHARE, now].map((at) => backupStamp(new Date(at)));
  return !scheduledBackups(dataDir).some((path) => stampOf(path)! > since! && stampOf(path)! <= until!);
}

/** Returns true for the name of a backup of a schedule. */
export const isScheduled = (name: string): boolean => SCHEDULED.test(name);

/** Returns the paths of the scheduled backups, oldest first. */
const scheduledBackups = (dataDir: string): readonly string[] =>
  backupsIn(dataDir).filter((file) => isScheduled(basename(file)));
