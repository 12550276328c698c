import { describe, expect, it } from "vitest";
import { cmf } from "../../../src/analytics/indicators/cmf.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("cmf", () => {
  it("weighs volume by the close's position within the bar", () => {
    // Closes at the high (+3), in the middle (0 of 5), without range (0 of 5), at the low (-5).
    const [high, low, close] = [of(10, 10, 9, 10), of(8, 8, 9, 8), of(10, 9, 9, 8)];
    expect(cmf(high, low, close, of(3, 5, 5, 5), 2)).toEqual(of(none, 0.375, 0, -0.5));
  });

  it("is NaN if nothing traded", () => {
    expect(cmf(of(2, 2), of(1, 1), of(2, 2), of(0, 0), 2)).toEqual(of(none, none));
  });
});
