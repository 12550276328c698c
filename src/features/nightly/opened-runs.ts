/** Time after its last use for which a run stays in memory, ms. */
const MAX_IDLE_MS = 60_000;

/**
 * Returns a function that opens a run and works on a part of it. Parts of the run last opened share it; it is dropped 60 s
 * after the last of them ends, or when another run is opened. A run that fails to open is opened again by its next part.
 */
export function openedRuns<Run>() {
  let last: { readonly id: string; readonly run: Promise<Run> } | null = null;
  let idle: NodeJS.Timeout | undefined;
  let users = 0;
  return async <T>(id: string, open: () => Promise<Run>, work: (run: Run) => Promise<T>): Promise<T> => {
    clearTimeout(idle);
    users++;
    try {
      const run = last?.id === id ? last.run : open();
      last = { id, run };
      return await work(
        await run.catch((cause: unknown) => {
          if (last?.run === run) last = null;
          throw cause;
        }),
      );
    } finally {
      if (--users === 0)
        idle = setTimeout(() => {
          last = null;
        }, MAX_IDLE_MS).unref();
    }
  };
}
