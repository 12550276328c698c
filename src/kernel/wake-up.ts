/** Wakes a waiting reader; wake-ups between two calls of `next` are not missed. */
export interface WakeUp {
  wake(): void;
  /** Resolves when there may be something to read, or the signal is aborted. */
  next(): Promise<void>;
  end(): void;
}

export function createWakeUp(signal: AbortSignal): WakeUp {
  let isPending = false;
  let notify = () => {};
  const wake = () => {
    isPending = true;
    notify();
  };
  signal.addEventListener("abort", wake, { once: true });
  return {
    wake,
    async next() {
      if (!isPending && !signal.aborted)
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
      isPending = false;
    },
    end: () => signal.removeEventListener("abort", wake),
  };
}
