import { createBoundedCache } from "../../lib/bounded-cache.ts";

/** Maximum number of networks and paths that are counted at a time. */
const MAX_COUNTED = 10_000;

interface Rule {
  /** Seconds. */
  readonly window: number;
  /** Requests that are allowed in a window. */
  readonly max: number;
}

interface RequestWindows {
  /** Counts a request by its network and path. `retryAfter`: seconds until the next window begins; null if allowed. */
  consume(
    key: string,
    rule: Rule,
  ): Promise<{ readonly allowed: boolean; readonly retryAfter: number | null }>;
}

/**
 * Creates the counts of requests for sign-in in fixed windows, in the memory of this process. The store of better-auth
 * starts a new window only after a whole one without a request, so that a host with many people would be refused for
 * good; and it is shared by all servers of a process. `now`: milliseconds of a clock that never goes back.
 */
export function createRequestWindows(now: () => number = () => performance.now()): RequestWindows {
  const windows = createBoundedCache<string, { readonly count: number; readonly ends: number }>({
    name: "requests for sign-in",
    max: MAX_COUNTED,
  });
  return {
    async consume(key, { window, max }) {
      const at = now();
      const current = windows.get(key);
      const isOver = current === undefined || at >= current.ends;
      const { count, ends } = isOver ? { count: 0, ends: at + window * 1_000 } : current;
      if (count >= max) return { allowed: false, retryAfter: Math.ceil((ends - at) / 1_000) };
      windows.set(key, { count: count + 1, ends });
      return { allowed: true, retryAfter: null };
    },
  };
}
