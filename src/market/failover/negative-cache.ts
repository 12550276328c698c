import { LRUCache } from "lru-cache";
import type { Clock } from "../../domain/ports.ts";
import type { Resource } from "./resource.ts";

const MAX_ENTRIES = 2_000;

interface Options<Q> {
  readonly keyOf: (request: Q) => string;
  readonly clock: Clock;
  /** How long a request that no provider covers is not repeated, ms. */
  readonly forMs: number;
}

/** A resource that caches for a while which requests no provider covers. */
export function withNegativeCache<Q, A>(
  resource: Resource<Q, A>,
  { keyOf, clock, forMs }: Options<Q>,
): Resource<Q, A> {
  const uncovered = new LRUCache<string, number>({ max: MAX_ENTRIES });
  return async (request, options) => {
    const key = keyOf(request);
    const at = uncovered.get(key);
    // a clock that was set back makes the age unknown
    if (at !== undefined && Math.abs(clock.now().getTime() - at) < forMs) return null;
    const answer = await resource(request, options);
    if (answer === null) uncovered.set(key, clock.now().getTime());
    else uncovered.delete(key);
    return answer;
  };
}
