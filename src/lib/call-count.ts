import { AsyncLocalStorage } from "node:async_hooks";

/** Counts the requests to providers that a piece of work causes. */
export interface CallCounter {
  /** Returns a fetch function whose requests are counted. */
  watch(fetch: typeof globalThis.fetch): typeof globalThis.fetch;
  /**
   * Runs `work` and returns the number of requests sent until it settled. A request shared with other work counts once.
   */
  count<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly calls: number }>;
}

export function createCallCounter(): CallCounter {
  const counts = new AsyncLocalStorage<{ calls: number }>();
  return {
    watch: (fetch) => (input, init) => {
      const count = counts.getStore();
      if (count !== undefined) count.calls++;
      return fetch(input, init);
    },
    async count(work) {
      const count = { calls: 0 };
      const result = await counts.run(count, work);
      return { result, calls: count.calls };
    },
  };
}
