import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tableExp } from "../../../src/analytics/odds/path-exp.ts";

describe("the exponential function of paths", () => {
  it("is exact to 11 digits", () => {
    fc.assert(
      fc.property(fc.double({ min: -63, max: 63, noNaN: true }), (x) => {
        expect(Math.abs(tableExp(x) / Math.exp(x) - 1)).toBeLessThan(1e-11);
      }),
    );
    expect([tableExp(0), tableExp(1), tableExp(-1)]).toEqual([1, Math.E, 1 / Math.E]);
  });

  it("is that of Math beyond its table", () => {
    for (const x of [-800, -64.5, 64, 700, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      expect(tableExp(x)).toBe(Math.exp(x));
    expect(tableExp(Number.NaN)).toBeNaN();
  });
});
