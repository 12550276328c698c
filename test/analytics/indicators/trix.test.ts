import { describe, expect, it } from "vitest";
import { trix } from "../../../src/analytics/indicators/trix.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("trix", () => {
  it("is the simple change at period one", () => {
    expect(trix(of(4, 5, 6), 1)).toEqual(of(none, 25, 20));
  });

  it("applies three smoothings with the same initial value", () => {
    // Initial value 2; two thirds of the way each: 11, 8, 6; 2 -> 6 is +200%.
    expect(trix(of(1, 3, 15.5), 2)[2]).toBeCloseTo(200, 12);
  });
});
