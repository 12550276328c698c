/** Shared cache of answers that do not depend on the caller. */
export interface Cache {
  /**
   * Returns the stored value if it is younger than `ttlMs`, otherwise the result of `make`; one `make` runs at a time
   * per key.
   */
  remember<T extends object>(key: string, ttlMs: number, make: () => Promise<T>): Promise<T>;
  /** Returns the stored value regardless of its age, or null; never computes one. */
  peek<T extends object>(key: string): Promise<T | null>;
}

/** Cache of tool answers that are the same for every caller. */
export interface Answers {
  /**
   * Returns the answer cached under a key, or that of `compute`; one `compute` runs at a time per key. An answer is
   * cached only until the data behind it may have changed: until the current second ends, a provider responds or the
   * stored data changes. Answers are frozen.
   */
  remember<T extends object>(key: string, compute: () => Promise<T>): Promise<T>;
}
