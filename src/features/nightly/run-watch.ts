import type { RunProgress, RunWatch } from "../../domain/nightly/engine-runs-port.ts";
import type { Clock } from "../../domain/ports.ts";

interface Step {
  readonly done: number;
  readonly total: number;
}

/** Creates the progress record of the runs of one engine, which notifies its listeners of changes. */
export function createRunWatch(clock: Clock) {
  const listeners = new Set<() => void>();
  let pending = 0;
  let progress: RunProgress | null = null;
  let closed = false;
  const changed = () => {
    for (const listener of [...listeners]) listener();
  };
  const watch: RunWatch = {
    current: () => (closed || pending === 0 ? null : (progress ?? begun())),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const begun = (): RunProgress => ({ done: 0, total: 0, startedAt: clock.now().getTime() });
  return {
    watch,
    changed,
    /** Counts a run, or the decision on one, as in progress until it ends. */
    async during<T>(work: () => Promise<T>): Promise<T> {
      pending++;
      try {
        return await work();
      } finally {
        pending--;
        progress = null;
        changed();
      }
    },
    begin: () => {
      progress = begun();
    },
    step: ({ done, total }: Step) => {
      progress = { ...(progress ?? begun()), done, total };
    },
    /** Ends every wait. */
    close() {
      closed = true;
      changed();
    },
  };
}
