import { Worker } from "node:worker_threads";
import type { HookResult } from "../../domain/backups/backups.ts";
import type { Clock, Log } from "../../domain/ports.ts";
import { nextMessage } from "../../lib/thread.ts";
import type { StorageMonitor } from "../storage-monitor.ts";
import { runBackupHook } from "./backup-hook.ts";
import {
  type BackupSchedule,
  backUpNow,
  checkAndBackUp,
  type ManualBackup,
  type ManualBackupJob,
  NO_ROOM,
  type UpkeepJob,
  type UpkeepResult,
} from "./check-and-back-up.ts";

/** Interval between two checks of whether a check is due. */
const INTERVAL_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Interval between two attempts to write while the disk is full. */
const RECOVERY_INTERVAL_MS = 5_000;
/** Interval between two full checks, unless backups are more frequent. */
const CHECK_INTERVAL_MS = 86_400_000;

/** The periodic check and backup of the database. */
export interface Upkeep {
  /**
   * Tries to write every 5 s while the disk is full and, unless another process of the server does it, checks now and
   * then daily or before each backup, in a thread.
   */
  start(options?: { readonly checks?: boolean }): void;
  /** Checks once and writes a backup if one is due. */
  run(): Promise<void>;
  /** Checks the database and writes a backup now, in a thread, and runs the hook. Null while another one is written. */
  backUp(
    keys: ManualBackupJob["keys"],
  ): Promise<{ readonly result: ManualBackup; readonly hook: HookResult | null } | null>;
  close(): Promise<void>;
}

export interface UpkeepJobs {
  readonly upkeep: (job: UpkeepJob) => UpkeepResult | Promise<UpkeepResult>;
  readonly backup: (job: ManualBackupJob) => ManualBackup | Promise<ManualBackup>;
}

const SQLITE_JOBS: UpkeepJobs = { upkeep: checkAndBackUp, backup: backUpNow };

export interface UpkeepOptions extends Pick<UpkeepJob, "file" | "url" | "dataDir"> {
  readonly monitor: StorageMonitor;
  /** Tries to end a fault `full`. */
  readonly recover: () => void;
  readonly clock: Clock;
  readonly schedule: BackupSchedule;
  /** Program that is run with the path of each backup; null for none. */
  readonly hook: string | null;
  /** The work of the threads, where there are none. Default: that of SQLite. */
  readonly jobs?: UpkeepJobs | undefined;
  readonly log?: Log | undefined;
}

/** Creates the upkeep of one database. Damage goes to the monitor; any other failure is logged. */
export function createUpkeep({
  file,
  url,
  dataDir,
  monitor,
  recover,
  clock,
  schedule,
  hook,
  jobs = SQLITE_JOBS,
  log,
}: UpkeepOptions): Upkeep {
  const timers: NodeJS.Timeout[] = [];
  const closing = new AbortController();
  const checkIntervalMs = Math.min(CHECK_INTERVAL_MS, schedule.everyMs ?? CHECK_INTERVAL_MS);
  let running: Promise<void> | undefined;
  let requested: Promise<unknown> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;

  async function run(): Promise<void> {
    checkedAt = performance.now();
    try {
      const { damage, backup, noRoom, failure } = await inThread(
        { file, url, dataDir, now: clock.now().getTime(), schedule },
        jobs.upkeep,
      );
      if (damage !== null) monitor.damaged(damage);
      if (backup !== null) log?.info("database_backed_up", { backup });
      if (backup !== null && hook !== null) await copyElsewhere(hook, backup);
      if (noRoom) log?.warn("backup_skipped", { reason: NO_ROOM });
      if (failure !== null) log?.error("backup_failed", { message: failure });
    } catch (cause) {
      log?.warn("database_check", { cause });
    }
  }

  async function copyElsewhere(program: string, backup: string): Promise<HookResult> {
    const options = { dataDir, now: clock.now(), signal: closing.signal };
    const result = await runBackupHook(program, backup, options);
    const { failure } = result;
    if (failure === null) log?.info("backup_hook", { backup });
    else log?.warn("backup_hook_failed", { backup, reason: failure });
    return result;
  }

  async function backUpOnce(keys: ManualBackupJob["keys"]) {
    const result = await inThread({ file, url, dataDir, now: clock.now().getTime(), keys }, jobs.backup);
    if (!("written" in result)) return { result, hook: null };
    const backup = result.written.file;
    log?.info("database_backed_up", { backup });
    return { result, hook: hook === null ? null : await copyElsewhere(hook, backup) };
  }

  const tick = (): void => {
    if (running !== undefined || performance.now() - checkedAt < checkIntervalMs) return;
    running = run().finally(() => {
      running = undefined;
    });
  };

  return {
    start({ checks = true } = {}) {
      timers.push(setInterval(recover, RECOVERY_INTERVAL_MS));
      if (checks) {
        tick();
        timers.push(setInterval(tick, Math.max(MINUTE_MS, Math.min(INTERVAL_MS, checkIntervalMs / 10))));
      }
      for (const timer of timers) timer.unref();
    },
    run,
    async backUp(keys) {
      if (requested !== undefined) return null;
      const work = backUpOnce(keys).finally(() => {
        requested = undefined;
      });
      requested = work;
      return work;
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      closing.abort();
      await Promise.allSettled([running, requested]);
    },
  };
}

/** Runs a job in a thread; on this one from TypeScript sources, which threads cannot load. */
async function inThread<Job extends UpkeepJob | ManualBackupJob, Result>(
  job: Job,
  run: (job: Job) => Result | Promise<Result>,
): Promise<Result> {
  if (!import.meta.url.endsWith(".js")) return run(job);
  const worker = new Worker(new URL("./upkeep-worker.js", import.meta.url), { workerData: job });
  return (await nextMessage(worker)) as Result;
}
