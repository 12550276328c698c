/** A search for the nearest integer that matches. */
export interface Search {
  /** Point from which distance is measured; not tested itself. */
  readonly from: number;
  /** First and last integer of the range, on either side of `from` or with one equal to it. */
  readonly low: number;
  readonly high: number;
  /** Integers at which blocks end, in any order; those outside the range are ignored. */
  readonly stops: readonly number[];
  /** Returns true if an integer matches. */
  hits(tickIndex: number): boolean;
  /** Returns false if no integer strictly between the two can match. */
  mayHit(inner: number, outer: number): boolean;
  /** Maximum number of blocks to examine before giving up. */
  readonly most: number;
}

/** Result of a search; `place` is null without a match. */
export interface Found {
  readonly tickIndex: number | null;
  /** Distance from `from` within which no other match exists. */
  readonly proven: number;
}

/** Two integers; the inner one does not match or was already tested. */
type Block = readonly [inner: number, outer: number];

/**
 * Returns the matching integer nearest to `from`, the upper one on a tie. Examines blocks outwards on both sides,
 * nearest first; drops those that cannot contain a match and halves the others.
 */
export function nearestTick(search: Search): Found {
  const { from, hits, mayHit, most } = search;
  const far = Math.max(from - search.low, search.high - from);
  const sides = [upwards(search), downwards(search)] as const;
  let tickIndex: number | null = null;
  let best = far;
  for (let opened = 0; ; opened++) {
    const [up, down] = [nearness(sides[0], from), nearness(sides[1], from)];
    const near = Math.min(up, down);
    if (near > best || near === Number.POSITIVE_INFINITY) return { tickIndex, proven: best };
    if (opened === most) return { tickIndex: null, proven: near };
    const side = sides[up <= down ? 0 : 1];
    const [inner, outer] = side.pop()!;
    const distance = Math.abs(outer - from);
    if ((distance < best || (distance === best && (tickIndex === null || outer > from))) && hits(outer))
      [tickIndex, best] = [outer, distance];
    if (Math.abs(outer - inner) <= 1 || !mayHit(inner, outer)) continue;
    const middle = Math.trunc((inner + outer) / 2);
    side.push([middle, outer], [inner, middle]);
  }
}

const nearness = (side: readonly Block[], from: number): number => {
  const next = side[side.length - 1];
  return next === undefined ? Number.POSITIVE_INFINITY : Math.abs(next[0] - from);
};

function upwards({ from, high, stops }: Search): Block[] {
  const first = Math.floor(from) + 1;
  return blocks(first, high, (tickIndex) => tickIndex > first && tickIndex < high, stops, 1);
}

function downwards({ from, low, stops }: Search): Block[] {
  const first = Math.ceil(from) - 1;
  return blocks(first, low, (tickIndex) => tickIndex < first && tickIndex > low, stops, -1);
}

/** Returns the blocks from the innermost to the last integer, in reverse order: the next one to examine is last. */
function blocks(
  first: number,
  last: number,
  within: (tickIndex: number) => boolean,
  stops: readonly number[],
  way: 1 | -1,
): Block[] {
  if (way * (last - first) < 0) return [];
  const inside = [...new Set(stops.filter(within))].sort((a, b) => way * (a - b));
  const places = [first, first, ...inside, ...(last === first ? [] : [last])];
  return places
    .slice(1)
    .map((tickIndex, i): Block => [places[i]!, tickIndex])
    .reverse();
}
