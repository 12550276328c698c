import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wholePercents } from "../../../src/analytics/odds/percents.ts";

describe("whole percents", () => {
  it("round up the shares with the largest remainders", () => {
    expect(wholePercents([1 / 3, 1 / 3, 1 / 3])).toEqual([0.34, 0.33, 0.33]);
    expect(wholePercents([0.286, 0.306, 0.408])).toEqual([0.29, 0.3, 0.41]);
    expect(wholePercents([1, 0, 0])).toEqual([1, 0, 0]);
  });

  it("add up to 100 and differ by less than one percent from the shares", () => {
    const counts = fc.array(fc.nat(4_000), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(counts, (cases) => {
        const total = cases.reduce((sum, count) => sum + count, 0);
        fc.pre(total > 0);
        const shares = cases.map((count) => count / total);
        const percents = wholePercents(shares);
        expect(Math.round(100 * percents.reduce((sum, percent) => sum + percent, 0))).toBe(100);
        for (const [i, percent] of percents.entries())
          expect(Math.abs(percent - shares[i]!)).toBeLessThan(0.01);
      }),
    );
  });
});
