import { Worker } from "node:worker_threads";
import type { Clock, Log } from "../../domain/ports.ts";
import { nextMessage } from "../../lib/thread.ts";
import type { StorageMonitor } from "../storage-monitor.ts";
import { checkAndBackUp, type UpkeepJob, type UpkeepResult } from "./check-and-back-up.ts";

const INTERVAL_MS = 3_600_000;
/** Interval between two attempts to write while the disk is full. */
const RECOVERY_INTERVAL_MS = 5_000;
/** Interval between two full checks. */
const CHECK_INTERVAL_MS = 86_400_000;

/** The periodic check and backup of the database. */
export interface Upkeep {
  /**
   * Tries to write every 5 s while the disk is full and, unless another process of the server does it, checks now and
   * then daily, in a thread.
   */
  start(options?: { readonly checks?: boolean }): void;
  /** Checks once and writes a backup if one is due. */
  run(): Promise<void>;
  close(): Promise<void>;
}

interface UpkeepOptions extends Pick<UpkeepJob, "file" | "dataDir"> {
  readonly monitor: StorageMonitor;
  /** Tries to end a fault `full`. */
  readonly recover: () => void;
  readonly clock: Clock;
  readonly log?: Log | undefined;
}

/** Creates the upkeep of one database. Damage goes to the monitor; any other failure is logged. */
export function createUpkeep({ file, dataDir, monitor, recover, clock, log }: UpkeepOptions): Upkeep {
  const timers: NodeJS.Timeout[] = [];
  let running: Promise<void> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;

  async function run(): Promise<void> {
    checkedAt = performance.now();
    try {
      const { damage, backup, noRoom } = await inThread({ file, dataDir, now: clock.now().getTime() });
      if (damage !== null) monitor.damaged(damage);
      if (backup !== null) log?.info("database_backed_up", { backup });
      if (noRoom) log?.warn("backup_skipped", { reason: "the disk has too little free space" });
    } catch (cause) {
      log?.warn("database_check", { cause });
    }
  }

  const tick = (): void => {
    if (running !== undefined || performance.now() - checkedAt < CHECK_INTERVAL_MS) return;
    running = run().finally(() => {
      running = undefined;
    });
  };

  return {
    start({ checks = true } = {}) {
      timers.push(setInterval(recover, RECOVERY_INTERVAL_MS));
      if (checks) {
        tick();
        timers.push(setInterval(tick, INTERVAL_MS));
      }
      for (const timer of timers) timer.unref();
    },
    run,
    async close() {
      for (const timer of timers) clearInterval(timer);
      await running;
    },
  };
}

/** Runs the job in a thread; on this one from TypeScript sources, which threads cannot load. */
async function inThread(job: UpkeepJob): Promise<UpkeepResult> {
  if (!import.meta.url.endsWith(".js")) return checkAndBackUp(job);
  const worker = new Worker(new URL("./upkeep-worker.js", import.meta.url), { workerData: job });
  return (await nextMessage(worker)) as UpkeepResult;
}
