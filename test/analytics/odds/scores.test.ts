import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalQuantile } from "../../../src/analytics/backtest/normal.ts";
import { crps, quantileScore, skill } from "../../../src/analytics/odds/scores.ts";

/** The integral of (F(t) - [t >= happened])^2 over t, piece by piece between samples. */
function integral(samples: readonly number[], happened: number): number {
  const points = [...samples, happened].sort((a, b) => a - b);
  let area = 0;
  for (const [i, from] of points.slice(0, -1).entries()) {
    const below = samples.filter((sample) => sample <= from).length / samples.length;
    area += (points[i + 1]! - from) * (below - (from >= happened ? 1 : 0)) ** 2;
  }
  return area;
}

const values = fc.double({ min: -5, max: 5, noNaN: true });

describe("the continuous ranked probability score", () => {
  it("equals its integral, also with equal samples", () => {
    const samples = fc.array(fc.oneof(values, fc.constantFrom(-1, 0, 2)), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(samples, fc.oneof(values, fc.constantFrom(-1, 0, 2)), (drawn, happened) => {
        const sorted = Float64Array.from(drawn).sort();
        expect(crps(sorted, happened)).toBeCloseTo(integral(drawn, happened), 9);
      }),
      { numRuns: 300 },
    );
  });

  it("is known by hand", () => {
    expect(crps(Float64Array.of(1), 3)).toBe(2); // the distance from a single value
    expect(crps(Float64Array.of(0, 1), 0.5)).toBeCloseTo(0.25, 12); // (1/2)^2 on both sides
    expect(crps(Float64Array.of(0, 1), 2)).toBeCloseTo(1.25, 12); // 1/4 + 1
    expect(crps(Float64Array.of(2, 2, 2), 2)).toBe(0);
  });

  it("is that of the normal distribution for its quantiles: (2 phi(0) - 1 / sqrt(pi)) at the middle", () => {
    const sorted = Float64Array.from({ length: 2_000 }, (_, i) => normalQuantile((i + 0.5) / 2_000));
    expect(crps(sorted, 0)).toBeCloseTo(2 / Math.sqrt(2 * Math.PI) - 1 / Math.sqrt(Math.PI), 3);
  });
});

describe("the score of quantiles", () => {
  it("is known by hand", () => {
    // misses 2 - 1 and 2 - 5: 2 x (.1 x 1 + .1 x 3) / 2
    expect(quantileScore([1, 5], [0.1, 0.9], 2)).toBeCloseTo(0.4, 12);
    expect(quantileScore([3], [0.5], 3)).toBe(0);
    expect(quantileScore([3], [0.5], 5)).toBe(2);
    expect(quantileScore([3], [0.95], 5)).toBeCloseTo(3.8, 12);
    expect(quantileScore([3], [0.95], 1)).toBeCloseTo(0.2, 12);
  });

  it("tends to the continuous ranked probability score with many quantiles", () => {
    const shares = Array.from({ length: 500 }, (_, i) => (i + 0.5) / 500);
    const sorted = Float64Array.from(shares, (share) => normalQuantile(share));
    for (const happened of [-3, -0.4, 0, 1.2])
      expect(quantileScore(sorted, shares, happened)).toBeCloseTo(crps(sorted, happened), 9);
  });
});

describe("skill", () => {
  it("is the share of the error that is avoided, null without an error to avoid", () => {
    expect([skill(0, 2), skill(1, 2), skill(2, 2), skill(3, 2)]).toEqual([1, 0.5, 0, -0.5]);
    expect(skill(0, 0)).toBeNull();
  });
});
