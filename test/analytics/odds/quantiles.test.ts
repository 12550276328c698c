import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { QUANTILES, quantilesOf, sortedQuantile } from "../../../src/analytics/odds/quantiles.ts";

const sorted = fc
  .array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 1, maxLength: 50 })
  .map((values) => Float64Array.from(values).sort());

describe("a quantile of sorted values", () => {
  it("interpolates linearly between neighbours", () => {
    const values = Float64Array.of(1, 2, 4, 8);
    const shares = [0, 1 / 3, 0.5, 2 / 3, 0.9, 1];
    expect(shares.map((share) => sortedQuantile(values, share))).toEqual(
      [1, 2, 3, 4, 6.8, 8].map((value) => expect.closeTo(value, 12)),
    );
    expect(sortedQuantile(Float64Array.of(7), 0.3)).toBe(7);
    expect(sortedQuantile(new Float64Array(0), 0.5)).toBeNaN();
  });

  it("never falls as the share rises, lies between the extremes, and inverts the ranks", () => {
    fc.assert(
      fc.property(sorted, (values) => {
        const quantiles = QUANTILES.map((share) => sortedQuantile(values, share));
        expect(quantiles).toEqual([...quantiles].sort((a, b) => a - b));
        expect(quantiles[0]).toBeGreaterThanOrEqual(values[0]!);
        expect(quantiles.at(-1)).toBeLessThanOrEqual(values.at(-1)!);
        const last = Math.max(1, values.length - 1);
        for (const [i, value] of values.entries())
          expect(sortedQuantile(values, i / last)).toBeCloseTo(value, 9);
      }),
    );
  });

  it("is published at seven shares that are symmetric about the median", () => {
    expect(QUANTILES).toEqual([0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95]);
    for (const [i, share] of QUANTILES.entries()) expect(share + QUANTILES.at(-1 - i)!).toBeCloseTo(1, 12);
  });
});

describe("quantiles of values in any order", () => {
  const values = fc.array(
    fc.oneof(fc.double({ min: -1e3, max: 1e3, noNaN: true }), fc.constantFrom(-1, 0.5, 2)),
    { minLength: 1, maxLength: 200 },
  );

  it("are those of the sorted values, and leave these as they are", () => {
    fc.assert(
      fc.property(values, (drawn) => {
        const unsorted = Float64Array.from(drawn);
        const ascending = Float64Array.from(drawn).sort();
        for (const shares of [QUANTILES, [0.5], [0, 1], [0.3, 0.3, 0.31]])
          expect(quantilesOf(unsorted, shares)).toEqual(
            shares.map((share) => sortedQuantile(ascending, share)),
          );
        expect([...unsorted]).toEqual(drawn);
      }),
      { numRuns: 300 },
    );
  });

  it("are found among ascending, descending and equal values, and in none", () => {
    const ascending = Float64Array.from({ length: 1_001 }, (_, i) => i);
    expect(quantilesOf(ascending, QUANTILES)).toEqual([50, 100, 250, 500, 750, 900, 950]);
    expect(quantilesOf(ascending.toReversed(), QUANTILES)).toEqual([50, 100, 250, 500, 750, 900, 950]);
    expect(quantilesOf(new Float64Array(1_000).fill(3), [0.1, 0.9])).toEqual([3, 3]);
    expect(quantilesOf(new Float64Array(0), [0.5])).toEqual([Number.NaN]);
  });
});
