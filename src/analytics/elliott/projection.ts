import type { Candidate } from "./candidates.ts";
import { extensions, type FibonacciLevel, retracements } from "./fibonacci.ts";
import type { Leg } from "./pivots.ts";

/**
 * Fibonacci targets ahead of the leg in the making, nearest first: wave 3 and C lie 1 and more of wave 1 or A from
 * their start, wave 5 lies .618 and more of wave 1, wave 4 gives back part of 3, and a complete impulse is given back
 * in part. Targets that the count forbids, and those at or below 0, are left out.
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
 * The price beyond which a count is off: wave 4 may not reach the end of wave 1; any other wave in the making may not
 * go beyond its own start, nor the leg after a complete impulse beyond its end.
 */
export const invalidationOf = ({ wave, path }: Candidate): number =>
  (wave === "4" ? path[1]! : path.at(-1)!).price;
