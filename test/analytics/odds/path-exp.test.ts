import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tableExp } from "../../../src/analytics/odds/path-exp.ts";

describe("the exponential function of paths", () => {
  const exp = tableExp();

  it("is exact to 11 digits", () => {
    fc.assert(
      fc.property(fc.double({ min: -63, max: 63, noNaN: true }), (x) => {
        expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(1e-11);
      }),
    );
    expect([exp(0), exp(1), exp(-1)]).toEqual([1, Math.E, 1 / Math.E]);
  });

  it("is that of Math beyond its table", () => {
    for (const x of [-800, -64.5, 64, 700, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      expect(exp(x)).toBe(Math.exp(x));
    expect(exp(Number.NaN)).toBeNaN();
  });
});
