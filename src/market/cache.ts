import { LRUCache } from "lru-cache";
import type { Cache, Clock } from "../domain/ports.ts";

interface Entry {
  readonly madeAt: number;
  readonly value: Promise<object>;
}

/** A bounded cache of shared answers; failures are not cached. */
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
        if (entries.get(key) !== entry) return;
        // what was there before is better than nothing to those who take it however old
        if (kept === undefined) entries.delete(key);
        else entries.set(key, kept);
      });
      return entry.value;
    },
    async peek<T extends object>(key: string): Promise<T | null> {
      return ((await entries.get(key)?.value) ?? null) as T | null;
    },
  };
}
