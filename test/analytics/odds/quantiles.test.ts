import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { QUANTILES, sortedQuantile } from "../../../src/analytics/odds/quantiles.ts";

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
