import { describe, expect, it } from "vitest";
import { keltner } from "../../../src/analytics/indicators/keltner.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("keltner", () => {
  it("is a multiple of the average true range around the exponential mean", () => {
    // True ranges 3, 3; means 10, then two thirds of the way to 13.
    expect(keltner(of(10, 12, 14), of(8, 10, 12), of(9, 11, 13), 2, 2, 1)).toEqual({
      upper: of(none, 16, 18),
      middle: of(none, 10, 12),
      lower: of(none, 4, 6),
    });
  });
});
