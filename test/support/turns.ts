import { readFileSync } from "node:fs";

const SCHEDULE = "/proc/thread-self/schedstat";
/** Turns that take less time than this, in milliseconds, are measured together with the next ones. */
const SHORT_MS = 10;

/** Returns the processor time of this thread in milliseconds, on systems without /proc that of the process. */
function processorMs(): number {
  try {
    return Number(readFileSync(SCHEDULE, "utf8").split(" ")[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e3;
  }
}

/**
 * Measures the turns of the event loop in processor time, which other programs on the machine neither lengthen nor
 * hide. Overstates a turn by at most 10 ms. `longestMs` returns the longest turn since its last call, with the part of
 * the current one that has passed.
 */
export function measureTurns(): { longestMs(): number; stop(): void } {
  let [last, readAt, longest, running] = [processorMs(), performance.now(), 0, true];
  const note = () => {
    const now = processorMs();
    longest = Math.max(longest, now - last);
    last = now;
    readAt = performance.now();
  };
  const turn = () => {
    if (running) setImmediate(turn);
    if (performance.now() - readAt >= SHORT_MS) note();
  };
  setImmediate(turn);
  return {
    longestMs() {
      note();
      const found = longest;
      longest = 0;
      return found;
    },
    stop() {
      running = false;
    },
  };
}
