import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestTick } from "../../../src/analytics/explain/nearest-tick.ts";

/** A search over given hits, with bounds that are correct but as loose as allowed. */
function searchOf(answers: ReadonlySet<number>, more: { from?: number; low?: number; high?: number } = {}) {
  const tested: number[] = [];
  return {
    tested,
    from: 50.5,
    low: 1,
    high: 100,
    stops: [] as readonly number[],
    most: 1000,
    ...more,
    hits: (tickIndex: number) => tested.push(tickIndex) > 0 && answers.has(tickIndex),
    mayHit: (a: number, b: number) =>
      [...answers].some((answer) => answer > Math.min(a, b) && answer < Math.max(a, b)),
  };
}

describe("nearestPlace", () => {
  it("finds the nearest hit, however blocks are split and however loose the bounds are", () => {
    const tickIndex = fc.integer({ min: 1, max: 400 });
    const search = fc.record({
      answers: fc.array(tickIndex, { maxLength: 6 }),
      stops: fc.array(tickIndex, { maxLength: 6 }),
      from: fc.double({ min: 150, max: 250, noNaN: true }),
      low: fc.integer({ min: 1, max: 150 }),
      high: fc.integer({ min: 250, max: 400 }),
      careless: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(search, ({ answers, stops, from, low, high, careless }) => {
        const known = new Set(answers);
        const made = searchOf(known, { from, low, high });
        const found = nearestTick({
          ...made,
          stops,
          mayHit: (a, b) => (a + b) % careless === 0 || made.mayHit(a, b),
        });
        const nearest = answers
          .filter((answer) => answer >= low && answer <= high && answer !== from)
          .sort((a, b) => Math.abs(a - from) - Math.abs(b - from) || b - a)[0];
        expect(found.tickIndex).toBe(nearest ?? null);
      }),
      { numRuns: 500 },
    );
  });

  it("returns the higher of two equally near hits", () => {
    expect(nearestTick(searchOf(new Set([40, 60]), { from: 50 })).tickIndex).toBe(60);
    expect(nearestTick(searchOf(new Set([49, 51]), { from: 50 })).tickIndex).toBe(51);
  });

  it("tests few of many places, and none farther than its result", () => {
    const search = searchOf(new Set([52, 99_000]), { high: 100_000 });
    expect(nearestTick(search)).toEqual({ tickIndex: 52, proven: 1.5 });
    expect(search.tested.length).toBeLessThan(40);
    const none = searchOf(new Set(), { high: 100_000 });
    expect(nearestTick(none)).toEqual({ tickIndex: null, proven: 99_949.5 });
    expect(none.tested).toEqual([51, 100_000, 50, 1]);
  });

  it("gives up after its maximum number of blocks, with the proven distance", () => {
    const doubtful = { ...searchOf(new Set()), mayHit: () => true };
    const { tickIndex, proven } = nearestTick({ ...doubtful, most: 30 });
    expect(tickIndex).toBeNull();
    expect(proven).toBeGreaterThan(0);
    expect(proven).toBeLessThan(49.5);
  });

  it("returns null for a range without places", () => {
    expect(nearestTick(searchOf(new Set([50]), { from: 50, low: 50, high: 50 })).tickIndex).toBeNull();
  });
});
