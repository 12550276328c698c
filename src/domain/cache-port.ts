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

/** Answers of tools that are the same for every caller. */
export interface Answers {
  /**
   * Returns the answer kept under a key, or that of `compute`; one `compute` runs at a time per key. An answer is kept
   * only until the data behind it may have changed: at most until the second ends, and until the next response of a
   * provider or change of the stored data. Answers are frozen.
   */
  remember<T extends object>(key: string, compute: () => Promise<T>): Promise<T>;
}
