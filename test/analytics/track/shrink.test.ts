import { describe, expect, it } from "vitest";
import { shrunkRate } from "../../../src/analytics/track/shrink.ts";

describe("shrunkRate", () => {
  it("weighs the base rate like 100 outcomes", () => {
    // (100 x .7 + 100 x .5) / 200, (300 x .7 + 100 x .5) / 400
    expect(shrunkRate(0.7, { n: 100, base: 0.5 })).toBeCloseTo(0.6, 12);
    expect(shrunkRate(0.7, { n: 300, base: 0.5 })).toBeCloseTo(0.65, 12);
  });

  it("is the base rate without outcomes", () => {
    expect(shrunkRate(0.7, { n: 0, base: 0.5 })).toBe(0.5);
  });
});
