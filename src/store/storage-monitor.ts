import type { Clock, Log, StorageFault, StorageHealth } from "../domain/ports.ts";

/** Records the faults of the database as its statements meet them. */
export interface StorageMonitor extends StorageHealth {
  /** Records that the disk is full or failing. */
  full(cause: unknown): void;
  /** Records damage, which lasts until the server is stopped and a backup is restored. */
  damaged(cause: unknown): void;
  /** Records that the newest changes are missing, which lasts until the next start. */
  incomplete(message: string): void;
  /** Records a write that succeeded: ends the fault `full`, unless the disk still has almost no free space. */
  wrote(): void;
}

interface MonitorOptions {
  readonly clock: Clock;
  readonly log?: Log | undefined;
  /** Returns whether the disk has room for more than a small write. */
  readonly hasRoom: () => boolean;
  /** Returns the message for the server owner, with the commands that restore the database. */
  readonly recoveryMessage: () => string;
}

/** Creates a monitor without a fault. It logs the beginning and the end of each fault once. */
export function createStorageMonitor({
  clock,
  log,
  hasRoom,
  recoveryMessage,
}: MonitorOptions): StorageMonitor {
  let fault: StorageFault | null = null;
  let incomplete: StorageFault | null = null;
  return {
    fault: () => fault ?? incomplete,
    full(cause) {
      if (fault !== null) return;
      fault = { kind: "full", since: clock.now().toISOString() };
      log?.error("storage_full", { cause });
    },
    damaged(cause) {
      if (fault?.kind === "damaged") return;
      fault = { kind: "damaged", since: clock.now().toISOString() };
      log?.error("database_damaged", { cause, message: recoveryMessage() });
    },
    incomplete(message) {
      incomplete = { kind: "incomplete", since: clock.now().toISOString() };
      log?.warn("database_incomplete", { message });
    },
    wrote() {
      if (fault?.kind !== "full" || !hasRoom()) return;
      log?.info("storage_recovered", { since: fault.since });
      fault = null;
    },
  };
}
