import type { Cache, Clock } from "../domain/ports.ts";
import { createBoundedCache } from "../lib/bounded-cache.ts";
import { isWithin } from "../lib/expiry.ts";

interface Entry {
  readonly madeAt: number;
  readonly value: Promise<object>;
  /** The value once it is made, so that its size counts. */
  readonly made?: object;
}

/** Creates a bounded cache of shared values. Failures are not cached. */
export function createCache(clock: Clock, max = 500): Cache {
  const entries = createBoundedCache<string, Entry>({ name: "shared values", max });
  return {
    async remember<T extends object>(key: string, ttlMs: number, make: () => Promise<T>): Promise<T> {
      const now = clock.now().getTime();
      const previous = entries.get(key);
      if (previous !== undefined && isWithin(previous.madeAt, now, ttlMs)) return (await previous.value) as T;
      const entry = { madeAt: now, value: make() };
      entries.set(key, entry);
      entry.value.then(
        (made) => {
          if (entries.peek(key) === entry) entries.set(key, { ...entry, made });
        },
        () => {
          if (entries.peek(key) !== entry) return;
          // restore the previous value for callers that accept a stale one
          if (previous === undefined) entries.delete(key);
          else entries.set(key, previous);
        },
      );
      return entry.value;
    },
    async peek<T extends object>(key: string): Promise<T | null> {
      return ((await entries.get(key)?.value) ?? null) as T | null;
    },
  };
}
