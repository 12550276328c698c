import { setImmediate } from "node:timers";

/** Time in milliseconds after which work lets other events be handled. */
const MAX_STRETCH_MS = 8;

const waiting: (() => void)[] = [];
/** Start of the work in this iteration of the event loop; null before the first. */
let startedAt: number | null = null;
let isNextScheduled = false;

/**
 * Waits until the event loop has handled what is pending. Of several waiting computations one goes on in each iteration
 * of the event loop, in order of arrival.
 */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resume) => {
    waiting.push(resume);
    scheduleNext();
  });

/**
 * Returns true if this iteration of the event loop already works for 8 ms. Long computations check it between their
 * steps, `if (isBusy()) await yieldToEventLoop()`, so that the server stays responsive.
 */
export function isBusy(): boolean {
  startedAt ??= performance.now();
  scheduleNext();
  return performance.now() - startedAt >= MAX_STRETCH_MS;
}

function scheduleNext(): void {
  if (isNextScheduled) return;
  isNextScheduled = true;
  setImmediate(resumeNext);
}

function resumeNext(): void {
  isNextScheduled = false;
  startedAt = null;
  const resume = waiting.shift();
  if (resume === undefined) return;
  startedAt = performance.now();
  scheduleNext();
  resume();
}
