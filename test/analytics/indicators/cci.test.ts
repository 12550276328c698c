import { describe, expect, it } from "vitest";
import { cci } from "../../../src/analytics/indicators/cci.ts";

const of = (...values: number[]) => Float64Array.from(values);

describe("cci", () => {
  it("is the distance from the mean in units of .015 mean deviations", () => {
    // typical 1, 3: mean 2, mean deviation 1
    const value = cci(of(1, 3), of(1, 3), of(1, 3), 2);
    expect(value[0]).toBeNaN();
    expect(value[1]).toBeCloseTo(200 / 3, 12);
  });

  it("is 0 in a flat window", () => {
    const flat = of(0.1, 0.1, 0.1);
    expect(cci(flat, flat, flat, 3)[2]).toBe(0);
  });
});
