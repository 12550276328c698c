import type { Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";
import { createBoundedCache } from "../../lib/bounded-cache.ts";

const MAX_CACHED = 1_000;
/** Maximum length of a cached path, in characters. */
const MAX_PATH_LENGTH = 200;

/**
 * Creates a router that caches the routes of recent paths. Finding them takes several times longer, because routes such
 * as `/signals/changes` and `/signals/:symbol` overlap. Routes are added before the first request.
 */
export function createCachedRouter<T>(): Router<T> {
  const router = new TrieRouter<T>();
  const cache = createBoundedCache<string, Result<T>>({ name: "routes", max: MAX_CACHED });
  return {
    name: "CachedRouter",
    add(method, path, handler) {
      cache.clear();
      router.add(method, path, handler);
    },
    match(method, path) {
      const key = `${method} ${path}`;
      const cached = cache.get(key);
      if (cached !== undefined) return cached;
      const result = router.match(method, path);
      if (path.length <= MAX_PATH_LENGTH) cache.set(key, result);
      return result;
    },
  };
}
