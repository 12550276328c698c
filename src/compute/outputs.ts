import { LRUCache } from "lru-cache";

/** Maximum size of the kept outputs, in characters of their JSON. */
const MAX_SIZE = 32 * 1024 * 1024;

/** Outputs that cannot change, by key. */
export interface Outputs {
  /**
   * Returns the kept output of a key, or that of `compute`, which runs once at a time per key. A failure is not kept, and
   * a caller that waited for another's failure computes itself. Outputs are frozen because callers share them.
   */
  remember<T>(key: string, compute: () => Promise<T>): Promise<T>;
}

export function createOutputs(maxSize = MAX_SIZE): Outputs {
  const kept = new LRUCache<string, object>({ maxSize });
  const running = new Map<string, Promise<unknown>>();

  return {
    async remember<T>(key: string, compute: () => Promise<T>): Promise<T> {
      const found = kept.get(key);
      if (found !== undefined) return found as T;
      const current = running.get(key);
      if (current !== undefined) {
        // its caller may have cancelled it
        const output = await current.catch(() => undefined);
        return output === undefined ? this.remember(key, compute) : (output as T);
      }
      const output = compute();
      running.set(key, output);
      try {
        const computed = freeze(await output);
        if (typeof computed === "object" && computed !== null)
          kept.set(key, computed, { size: JSON.stringify(computed).length });
        return computed;
      } finally {
        running.delete(key);
      }
    },
  };
}

function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
