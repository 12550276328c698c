import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bell, draw, exp, keyOf, lnUnit, normal, unit } from "../../../src/providers/sample/draws.ts";

const bits = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

describe("draws", () => {
  it("never change, because stored facts derive from them", () => {
    // Computed once by a separate Python program with 64-bit integers.
    expect([keyOf("a"), keyOf("market", 7), draw(0, 0), draw(12345, 678)]).toEqual([
      444641715, 1587563855, -1438753951, -620465248,
    ]);
  });

  it("use different streams for different names", () => {
    const names = ["a", "b", "ab", "a|b", "b|a", ""].map((name) => keyOf(name));
    expect(new Set(names).size).toBe(6);
  });

  it("convert to fractions from 0 up to but not including 1", () => {
    expect([unit(0), unit(-(2 ** 31)), unit(-1)]).toEqual([0, 0.5, 1 - 2 ** -32]);
  });

  it("are normally distributed around 0 with standard deviation 1", () => {
    const values = Array.from({ length: 20_000 }, (_, i) => normal(99, i));
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    expect(Math.abs(mean)).toBeLessThan(0.02); // three standard errors
    expect(Math.abs(variance - 1)).toBeLessThan(0.03);
    expect(bell(0)).toBe(-bell(-1));
  });
});

describe("exp and lnUnit", () => {
  it("agree with the engine's own functions to twelve digits", () => {
    fc.assert(
      fc.property(fc.double({ min: -4, max: 4, noNaN: true }), bits, (x, b) => {
        expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(1e-12);
        expect(lnUnit(b)).toBeCloseTo(Math.log(((b | 1) >>> 0) / 2 ** 32), 12);
      }),
    );
  });

  it("stay finite at the limits", () => {
    expect(exp(0)).toBe(1);
    expect(lnUnit(0)).toBeCloseTo(-32 * Math.LN2, 12);
    expect(lnUnit(-1)).toBeLessThan(0);
  });
});
