import { describe, expect, it } from "vitest";
import { rollingZ } from "../../../src/analytics/indicators/rolling-z.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("rollingZ", () => {
  it("counts population deviations from the mean", () => {
    // mean 5, deviation 2
    expect(rollingZ(of(2, 4, 4, 4, 5, 5, 7, 9), 8)[7]).toBe(2);
  });

  it("is NaN if the window has no variation", () => {
    expect(rollingZ(of(1, 3, 3), 2)).toEqual(of(none, 1, none));
  });
});
