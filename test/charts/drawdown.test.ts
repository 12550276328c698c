import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepestOf, drawdownOf } from "../../src/charts/drawdown.ts";

const of = (...values: number[]) => [...drawdownOf(Float64Array.from(values))];

describe("a drawdown", () => {
  it("is measured from the highest value so far", () => {
    // 75 of 100, back to 100, 200, half of 200
    expect(of(100, 75, 100, 200, 100)).toEqual([0, -25, 0, 0, -50]);
  });

  it("exceeds 100 % with debt, and is NaN without positive equity", () => {
    expect(of(100, -50)).toEqual([0, -150]);
    expect(of(-1, -2)).toEqual([Number.NaN, Number.NaN]);
  });

  it("has a gap where a value is missing, and remembers the peak before it", () => {
    expect(of(100, Number.NaN, 50)).toEqual([0, Number.NaN, -50]);
  });

  it("returns the first of its equally deep minima", () => {
    expect(deepestOf(drawdownOf(Float64Array.of(4, 2, 3, 2, 4)))).toEqual({ index: 1, percent: -50 });
    expect(deepestOf(drawdownOf(Float64Array.of(1, 1, 2)))).toBeNull();
  });

  it("does not change with the currency", () => {
    // Scaling by powers of two is exact for doubles.
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1, max: 1e9, noNaN: true })),
        fc.integer({ min: -9, max: 9 }),
        (values, power) => {
          expect(of(...values.map((value) => value * 2 ** power))).toEqual(of(...values));
        },
      ),
    );
  });
});
