import type { Clock, ClockWatch, Log } from "../domain/ports.ts";

const CHECK_INTERVAL_MS = 1_000;
/** Smallest difference that is a jump; NTP corrects smaller ones gradually. */
const MIN_JUMP_MS = 2_000;
/** Time for which a jump is reported. */
const REPORT_MS = 86_400_000;

interface ClockWatchOptions {
  readonly log: Log;
  /** Clock of this machine. */
  readonly clock?: Clock;
  /** Returns the milliseconds since a fixed moment, unaffected by changes of the clock. */
  readonly elapsed?: () => number;
}

interface RunningClockWatch extends ClockWatch {
  check(): void;
  start(): void;
  close(): void;
}

/**
 * Compares the wall clock with the monotonic clock every second once started, and logs `clock_jumped` if they differ by
 * two seconds more or less than before. A machine that slept shows as a jump too.
 */
export function watchClock({
  log,
  clock = { now: () => new Date() },
  elapsed = () => performance.now(),
}: ClockWatchOptions): RunningClockWatch {
  const offsetNow = () => clock.now().getTime() - elapsed();
  let offset = offsetNow();
  let last: { readonly at: string; readonly ms: number; readonly since: number } | null = null;
  let timer: NodeJS.Timeout | undefined;

  function check(): void {
    const ms = Math.round(offsetNow() - offset);
    if (Math.abs(ms) < MIN_JUMP_MS) return;
    offset += ms;
    last = { at: clock.now().toISOString(), ms, since: elapsed() };
    log.warn("clock_jumped", { ms, now: last.at });
  }

  return {
    lastJump() {
      check();
      return last === null || elapsed() - last.since > REPORT_MS ? null : { at: last.at, ms: last.ms };
    },
    check,
    start() {
      check();
      timer = setInterval(check, CHECK_INTERVAL_MS).unref();
    },
    close: () => clearInterval(timer),
  };
}
