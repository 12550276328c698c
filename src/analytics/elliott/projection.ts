import type { Candidate } from "./candidates.ts";
import { extensions, type FibonacciLevel, retracements } from "./fibonacci.ts";
import type { Leg } from "./pivots.ts";

/**
 * Returns the Fibonacci targets beyond the current leg, nearest first: for waves 3 and C, extensions from 1 times wave
 * 1 or A; for wave 5, extensions from .618 times wave 1; for wave 4, retracements of wave 3; after a complete impulse,
 * retracements of the impulse. Omits targets that the count forbids and those at or below 0.
 * @see Frost & Prechter, "Elliott Wave Principle" (1978)
 */
export function targetsOf(count: Candidate, { up, reached }: Leg): readonly FibonacciLevel[] {
  const sign = up ? 1 : -1;
  const bound = count.bound ?? sign * Number.POSITIVE_INFINITY;
  return levelsOf(count).filter(
    ({ price }) => price > 0 && sign * (price - reached) > 0 && sign * (bound - price) > 0,
  );
}

function levelsOf({ wave, complete, path }: Candidate): readonly FibonacciLevel[] {
  const prices = path.map(({ price }) => price);
  const [start, first] = prices as [number, number];
  const last = prices.at(-1)!;
  if (complete) return retracements(start, last);
  if (wave === "4") return retracements(prices[2]!, last);
  const ahead = extensions(start, first, last);
  return wave === "5" ? ahead : ahead.filter(({ ratio }) => ratio >= 1);
}

/**
 * Returns the price beyond which a count is invalid: for wave 4 the end of wave 1; for other waves in progress their
 * own start; after a complete impulse its end.
 */
export const invalidationOf = ({ wave, path }: Candidate): number =>
  (wave === "4" ? path[1]! : path.at(-1)!).price;
