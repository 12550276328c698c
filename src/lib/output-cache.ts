import { createBoundedCache } from "./bounded-cache.ts";

/** Cache of the outputs of computations, shared by all callers. */
export interface OutputCache {
  /**
   * Returns the cached output of a key and version, or computes it. Concurrent callers share one computation per key and
   * version. Only the newest version of a key is cached, and only if `isCurrent` still returns true after the
   * computation. Failures are not cached: if a shared computation fails, each other caller computes again. Outputs are
   * frozen because callers share them.
   */
  remember<T extends object>(key: string, compute: () => Promise<T>, options?: VersionOptions): Promise<T>;
}

interface VersionOptions {
  /** Version of the data behind the output. Default: one version for all. */
  readonly version?: string;
  /** Default: always true. */
  readonly isCurrent?: () => boolean;
}

interface Entry {
  readonly version: string;
  readonly output: object;
  readonly bytes: number;
}

/** Memory that an output takes for each character of its JSON. */
const BYTES_PER_CHARACTER = 3;

/** Creates a cache; the least recently used outputs are evicted. */
export function createOutputCache(name: string): OutputCache {
  const cached = createBoundedCache<string, Entry>({ name, sizeOf: ({ bytes }) => bytes });
  const running = new Map<string, Promise<object>>();

  return {
    async remember<T extends object>(
      key: string,
      compute: () => Promise<T>,
      { version = "", isCurrent = () => true }: VersionOptions = {},
    ): Promise<T> {
      const found = cached.get(key);
      if (found?.version === version) return found.output as T;
      const runKey = `${version}\n${key}`;
      const current = running.get(runKey);
      if (current !== undefined) {
        // the caller that started it may have cancelled it
        const output = await current.catch(() => null);
        return output === null ? this.remember(key, compute, { version, isCurrent }) : (output as T);
      }
      const computing = compute().then(freeze);
      running.set(runKey, computing);
      try {
        const output = await computing;
        if (isCurrent())
          cached.set(key, { version, output, bytes: BYTES_PER_CHARACTER * JSON.stringify(output).length });
        return output;
      } finally {
        running.delete(runKey);
      }
    },
  };
}

function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
