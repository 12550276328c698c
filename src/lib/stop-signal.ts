/**
 * Time after an interrupt within which a second one counts as the same, in milliseconds: npm sends two for one Ctrl-C.
 */
const SAME_INTERRUPT_MS = 1_000;
/** Exit code of a process that SIGINT ends. */
const INTERRUPTED = 130;

/**
 * Returns a signal that SIGINT and SIGTERM abort. After that, SIGTERM does nothing more, and a later SIGINT exits at
 * once.
 */
export function interruptSignal(): AbortSignal {
  const interrupt = new AbortController();
  let interruptedAt = Number.POSITIVE_INFINITY;
  process.on("SIGTERM", () => interrupt.abort());
  process.on("SIGINT", () => {
    if (performance.now() - interruptedAt > SAME_INTERRUPT_MS) process.exit(INTERRUPTED);
    interruptedAt = Math.min(interruptedAt, performance.now());
    interrupt.abort();
  });
  return interrupt.signal;
}

/**
 * Makes SIGTSTP (Ctrl-Z) stop this process from the event loop, where no database transaction is open. By default it
 * stops at any instruction, and the stopped process may then hold a lock that other processes need.
 */
export function stopOnEventLoop(): void {
  process.on("SIGTSTP", () => process.kill(process.pid, "SIGSTOP"));
}

/** Interval at which the parent process is looked up, in milliseconds. */
const PARENT_INTERVAL_MS = 500;

/** Returns a signal that is aborted once the process that started this one has ended. Never aborted on Windows. */
export function parentEndedSignal(): AbortSignal {
  const ended = new AbortController();
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    ended.abort();
  }, PARENT_INTERVAL_MS).unref();
  return ended.signal;
}
