import { LRUCache } from "lru-cache";
import type { Clock } from "../../domain/ports.ts";
import type { Resource } from "./resource.ts";

const MAX_ENTRIES = 2_000;

interface Options<Q> {
  readonly keyOf: (question: Q) => string;
  readonly clock: Clock;
  /** How long nobody is asked again about what nobody covered. */
  readonly forMs: number;
}

/** A resource that remembers what no source covers: the same answer for a while, and no calls of a budget for it. */
export function withNegativeCache<Q, A>(
  resource: Resource<Q, A>,
  { keyOf, clock, forMs }: Options<Q>,
): Resource<Q, A> {
  const uncovered = new LRUCache<string, number>({ max: MAX_ENTRIES });
  return async (question, options) => {
    const key = keyOf(question);
    const at = uncovered.get(key);
    // after a clock was set back the time is not known
    if (at !== undefined && Math.abs(clock.now().getTime() - at) < forMs) return null;
    const told = await resource(question, options);
    if (told === null) uncovered.set(key, clock.now().getTime());
    else uncovered.delete(key);
    return told;
  };
}
