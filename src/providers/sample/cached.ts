import { LRUCache } from "lru-cache";

/** Caches the results of `make` under the key of their arguments; the least recently used of more than `max` is dropped. */
export function cached<Args extends readonly unknown[], Result extends object>(
  max: number,
  keyOf: (...args: Args) => string | number,
  make: (...args: Args) => Result,
): (...args: Args) => Result {
  const results = new LRUCache<string | number, Result>({ max });
  return (...args) => {
    const key = keyOf(...args);
    const known = results.get(key);
    if (known !== undefined) return known;
    const made = make(...args);
    results.set(key, made);
    return made;
  };
}
