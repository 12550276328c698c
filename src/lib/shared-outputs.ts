import { LRUCache } from "lru-cache";

/** Outputs of computations that callers share, by key. */
export interface SharedOutputs {
  /**
   * Returns the output of a key and version, or that of `compute`, which runs once at a time per key and version. Only
   * the output of the newest version is kept, and only if `isCurrent` still returns true after the computation. A failure
   * is not kept, and a caller that waited for another's failure computes itself. Outputs are frozen because callers
   * share them.
   */
  remember<T extends object>(key: string, compute: () => Promise<T>, options?: VersionOptions): Promise<T>;
}

interface VersionOptions {
  /** Default: the same for all. */
  readonly version?: string;
  /** Default: always true. */
  readonly isCurrent?: () => boolean;
}

interface Entry {
  readonly version: string;
  readonly output: object;
}

/** Creates outputs of at most `maxSize` characters of JSON in all; the least recently used are dropped. */
export function createSharedOutputs(maxSize: number): SharedOutputs {
  const kept = new LRUCache<string, Entry>({ maxSize });
  const running = new Map<string, Promise<object>>();

  return {
    async remember<T extends object>(
      key: string,
      compute: () => Promise<T>,
      { version = "", isCurrent = () => true }: VersionOptions = {},
    ): Promise<T> {
      const found = kept.get(key);
      if (found?.version === version) return found.output as T;
      const run = `${version}\n${key}`;
      const current = running.get(run);
      if (current !== undefined) {
        // its caller may have cancelled it
        const output = await current.catch(() => null);
        return output === null ? this.remember(key, compute, { version, isCurrent }) : (output as T);
      }
      const computing = compute().then(freeze);
      running.set(run, computing);
      try {
        const output = await computing;
        if (isCurrent()) kept.set(key, { version, output }, { size: JSON.stringify(output).length });
        return output;
      } finally {
        running.delete(run);
      }
    },
  };
}

function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
