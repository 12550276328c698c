import { describe, expect, it } from "vitest";
import { cci } from "../../../src/analytics/indicators/cci.ts";

const of = (...values: number[]) => Float64Array.from(values);

describe("cci", () => {
  it("counts mean deviations of .015 from the mean", () => {
    // typical 1, 3: mean 2, mean deviation 1
    const value = cci(of(1, 3), of(1, 3), of(1, 3), 2);
    expect(value[0]).toBeNaN();
    expect(value[1]).toBeCloseTo(200 / 3, 12);
  });

  it("reads 0 in a flat window", () => {
    const flat = of(0.1, 0.1, 0.1);
    expect(cci(flat, flat, flat, 3)[2]).toBe(0);
  });
});
