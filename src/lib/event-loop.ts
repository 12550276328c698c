import { setImmediate } from "node:timers";

/** Time in milliseconds after which work lets other events be handled. */
const MAX_STRETCH_MS = 8;

const waiting: (() => void)[] = [];
/** Start of the work in this iteration of the event loop; null before the first. */
let startedAt: number | null = null;

/**
 * Waits until the event loop has handled what is pending. Of several waiting computations one goes on in each iteration
 * of the event loop, in order of arrival.
 */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resume) => {
    if (waiting.push(resume) === 1 && startedAt === null) setImmediate(resumeNext);
  });

/**
 * Returns true if this iteration of the event loop already works for 8 ms. Long computations check it between their
 * steps, `if (isBusy()) await yieldToEventLoop()`, so that the server stays responsive.
 */
export function isBusy(): boolean {
  if (startedAt === null) {
    startedAt = performance.now();
    setImmediate(resumeNext);
  }
  return performance.now() - startedAt >= MAX_STRETCH_MS;
}

function resumeNext(): void {
  startedAt = null;
  const resume = waiting.shift();
  if (resume === undefined) return;
  startedAt = performance.now();
  setImmediate(resumeNext);
  resume();
}
