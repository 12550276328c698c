const MINUTE = 60_000;

/** How many stop-outs begin a cooldown, and how long it lasts from the first of them. */
export interface Cooldown {
  readonly stopOuts: number;
  readonly minutes: number;
}

/**
 * Minutes at `now` since the stop-out (epoch ms each, in any order) that decides whether a cooldown goes on: the last
 * but so many. It goes on while that is less than its length. Null with fewer stop-outs.
 */
export function minutesSince(
  stopOuts: readonly number[],
  now: number,
  { stopOuts: count }: Pick<Cooldown, "stopOuts">,
): number | null {
  const deciding = stopOuts.toSorted((a, b) => b - a)[count - 1];
  return deciding === undefined ? null : (now - deciding) / MINUTE;
}
