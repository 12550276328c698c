import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { effectiveCount, wilson } from "../../../src/analytics/track/interval.ts";

describe("the Wilson interval", () => {
  it("matches the formula by hand", () => {
    // 5 of 10: z2 = 3.841459; middle (.5 + .192073) / 1.384146 = .5; half-width 1.416003 * sqrt(.025 + .009604).
    expect(wilson(0.5, 10)!.low).toBeCloseTo(0.236593, 6);
    expect(wilson(0.5, 10)!.high).toBeCloseTo(0.763407, 6);
    // None of 10: z2 / (10 + z2).
    expect(wilson(0, 10)!.low).toBe(0);
    expect(wilson(0, 10)!.high).toBeCloseTo(0.277533, 6);
  });

  it("is null without outcomes", () => {
    expect(wilson(0.5, 0)).toBeNull();
    expect(wilson(Number.NaN, Number.NaN)).toBeNull();
  });

  it("contains the rate, stays within 0 and 1, narrows with more outcomes and is symmetric", () => {
    const rate = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(rate, fc.double({ min: 0.05, max: 1e6, noNaN: true }), (p, n) => {
        const { low, high } = wilson(p, n)!;
        const more = wilson(p, 2 * n)!;
        const other = wilson(1 - p, n)!;
        expect(low).toBeLessThanOrEqual(p + 1e-12);
        expect(high).toBeGreaterThanOrEqual(p - 1e-12);
        expect(low >= 0 && high <= 1).toBe(true);
        expect(more.high - more.low).toBeLessThanOrEqual(high - low + 1e-12);
        expect(other.low).toBeCloseTo(1 - high, 9);
      }),
    );
  });

  it("counts overlapping outcomes as one per 20, or per horizon if that is longer", () => {
    expect(effectiveCount(2000, 20)).toBe(100);
    expect(effectiveCount(7, 5)).toBe(0.35);
    expect(effectiveCount(2000, 60)).toBe(2000 / 60);
  });
});
