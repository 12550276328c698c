import { describe, expect, it } from "vitest";
import { deviation } from "../../../src/analytics/indicators/deviation.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("deviation", () => {
  it("divides by the number of values, as for a whole population", () => {
    const { mean, deviation: spread } = deviation(of(2, 4, 4, 4, 5, 5, 7, 9), 8);
    expect([mean[7], spread[7], spread[6]]).toEqual([5, 2, none]);
  });

  it("is exactly 0 in a flat window after large moves", () => {
    const { mean, deviation: spread } = deviation(of(1e6, 3, 0.1, 0.1, 0.1, 0.1), 3);
    expect([...mean.slice(4), ...spread.slice(4)]).toEqual([0.1, 0.1, 0, 0]);
  });
});
