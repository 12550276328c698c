import { existsSync, readFileSync } from "node:fs";

/** Processor time of each thread in nanoseconds, as Linux reports it: other processes and threads do not change it. */
const THREAD_TIME = "/proc/thread-self/schedstat";

/** Returns the processor time of this thread so far, ms; of the whole process where the system does not report it. */
function processorTime(): number {
  if (existsSync(THREAD_TIME)) return Number(readFileSync(THREAD_TIME, "latin1").split(" ")[0]) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Measures the iterations of the event loop of this thread, in processor time, so that a busy machine changes nothing.
 */
export interface TurnMeter {
  /** Returns the longest iteration since the last call, ms. */
  longest(): number;
  stop(): void;
}

/** Starts to measure; one immediate callback runs in each iteration of the event loop. */
export function measureTurns(): TurnMeter {
  let longest = 0;
  let isRunning = true;
  let before = processorTime();
  const note = () => {
    const now = processorTime();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const next = () => {
    note();
    if (isRunning) setImmediate(next);
  };
  setImmediate(next);
  return {
    longest() {
      note();
      const found = longest;
      longest = 0;
      return found;
    },
    stop() {
      isRunning = false;
    },
  };
}
