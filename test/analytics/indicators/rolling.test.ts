import { describe, expect, it } from "vitest";
import { rollingMax, rollingMin, rollingSum } from "../../../src/analytics/indicators/rolling.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("rolling", () => {
  it("sums, tops and bottoms every window of three", () => {
    const x = of(4, 1, 3, 2, 6, 5, 0);
    expect(rollingSum(x, 3)).toEqual(of(none, none, 8, 6, 11, 13, 11));
    expect(rollingMax(x, 3)).toEqual(of(none, none, 4, 3, 6, 6, 6));
    expect(rollingMin(x, 3)).toEqual(of(none, none, 1, 1, 2, 2, 0));
  });

  it("knows nothing of a series shorter than the window", () => {
    for (const rolling of [rollingSum, rollingMax, rollingMin])
      expect(rolling(of(1, 2), 3)).toEqual(of(none, none));
  });
});
