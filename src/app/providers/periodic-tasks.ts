import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";

/** How long rounds that are under way may take to end. */
const SHUTDOWN_MS = 2_000;

/** Work that is done again and again until it is closed. */
export interface PeriodicTasks {
  /** Aborts when they are closed. */
  readonly signal: AbortSignal;
  /** Does work every so often, for the first time after `first` ms; a round that fails is logged. */
  every(ms: number, work: () => Promise<unknown>, first?: number): void;
  /** Begins no further round, and waits a little for those under way. */
  close(): Promise<void>;
}

/** Rounds of upkeep that keep no process alive. */
export function createPeriodicTasks(log: Log): PeriodicTasks {
  const stop = new AbortController();
  const timers = new Set<ReturnType<typeof setInterval>>();
  const underWay = new Set<Promise<unknown>>();
  return {
    signal: stop.signal,
    every(ms, work, first = 0) {
      const run = () => {
        const round = work()
          .catch((cause: unknown) => stop.signal.aborted || log.warn("upkeep", reasonOf(cause)))
          .finally(() => underWay.delete(round));
        underWay.add(round);
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
      // what writes a last row needs the store still
      await Promise.race([
        Promise.allSettled(underWay),
        sleep(SHUTDOWN_MS, undefined, { signal: ended.signal }).catch(() => undefined),
      ]);
      ended.abort();
    },
  };
}

/** A failure of a source is an event, told in its own words; of anything else we want to know where it broke. */
const reasonOf = (cause: unknown) =>
  cause instanceof ToolError ? { code: cause.code, reason: cause.message } : { cause };
