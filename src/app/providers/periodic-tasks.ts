import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Maximum wait for running tasks at shutdown. */
const SHUTDOWN_MS = 2_000;

/** Tasks that run periodically until they are closed. */
export interface PeriodicTasks {
  /** Aborts when they are closed. */
  readonly signal: AbortSignal;
  /** Runs work every `ms`, for the first time after `first` ms; a failed run is logged. */
  every(ms: number, work: () => Promise<unknown>, first?: number): void;
  /** Starts no further run, and waits up to two seconds for the running ones. */
  close(): Promise<void>;
}

/** Creates periodic tasks; their timers do not keep the process alive. */
export function createPeriodicTasks(log: Log): PeriodicTasks {
  const stop = new AbortController();
  const timers = new Set<ReturnType<typeof setInterval>>();
  const running = new Set<Promise<unknown>>();
  return {
    signal: stop.signal,
    every(ms, work, first = 0) {
      const run = () => {
        const task = work()
          .catch((cause: unknown) => stop.signal.aborted || log.warn("periodic_task", fieldsOf(cause)))
          .finally(() => running.delete(task));
        running.add(task);
      };
      const begin = () => {
        run();
        timers.add(setInterval(run, ms).unref());
      };
      if (first === 0) begin();
      else timers.add(setTimeout(begin, first).unref());
    },
    async close() {
      stop.abort();
      for (const timer of timers) clearInterval(timer);
      const ended = new AbortController();
      // a running task may still write its last row to the store
      await Promise.race([
        Promise.allSettled(running),
        sleep(SHUTDOWN_MS, undefined, { signal: ended.signal }).catch(() => undefined),
      ]);
      ended.abort();
    },
  };
}

/** Log fields of a failure: code and message of an expected one, the stack of any other. */
const fieldsOf = (cause: unknown) =>
  cause instanceof ToolError ? { code: cause.code, reason: cause.message } : { cause };
