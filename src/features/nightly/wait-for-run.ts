import type { RunProgress, RunWatch } from "../../domain/nightly/engine-runs-port.ts";

/** Maximum time for which a call waits for a run in progress, ms. */
export const MAX_WAIT_MS = 8_000;
/** Retry delay before a run has finished its first step, and maximum retry delay, seconds. */
const FIRST_RETRY_S = 10;
const MAX_RETRY_S = 600;

/**
 * Waits until `isAvailable` resolves to true, the run in progress ends, or 8 s have passed; an abort ends only the wait of
 * its caller. Returns undefined without a run in progress.
 */
export function waitForRun(
  isAvailable: () => Promise<boolean>,
  ongoing: RunWatch | undefined,
  signal: AbortSignal | undefined,
): Promise<void> | undefined {
  return ongoing === undefined || ongoing.current() === null
    ? undefined
    : untilAvailable(isAvailable, ongoing, signal);
}

async function untilAvailable(
  isAvailable: () => Promise<boolean>,
  ongoing: RunWatch,
  signal: AbortSignal | undefined,
): Promise<void> {
  let wake = () => {};
  let hasChanged = false;
  let isOver = signal?.aborted === true;
  const change = () => {
    hasChanged = true;
    wake();
  };
  const end = () => {
    isOver = true;
    wake();
  };
  const unsubscribe = ongoing.onChange(change);
  const timer = setTimeout(end, MAX_WAIT_MS);
  signal?.addEventListener("abort", end, { once: true });
  try {
    while (!isOver && ongoing.current() !== null) {
      hasChanged = false;
      if (await isAvailable()) return;
      if (!hasChanged && !isOver)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    unsubscribe();
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** Returns the seconds after which a run in progress ends at its pace so far, 1 to 600; 10 before it has a pace. */
export function secondsLeft({ done, total, startedAt }: RunProgress, now: number): number {
  if (done === 0) return FIRST_RETRY_S;
  const left = ((now - startedAt) / done) * (total - done);
  return Math.min(MAX_RETRY_S, Math.max(1, Math.ceil(left / 1_000)));
}
