import { LRUCache } from "lru-cache";
import type { Cache, Clock } from "../ports/index.ts";

interface Entry {
  readonly madeAt: number;
  readonly value: Promise<object>;
}

/** A bounded memory of shared answers; failures are not kept. */
export function createCache(clock: Clock, max = 500): Cache {
  const entries = new LRUCache<string, Entry>({ max });
  return {
    async remember<T extends object>(key: string, ttlMs: number, make: () => Promise<T>): Promise<T> {
      const now = clock.now().getTime();
      const kept = entries.get(key);
      if (kept !== undefined && now - kept.madeAt < ttlMs) return (await kept.value) as T;
      const entry = { madeAt: now, value: make() };
      entries.set(key, entry);
      entry.value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key);
      });
      return entry.value;
    },
  };
}
