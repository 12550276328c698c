import { describe, expect, it } from "vitest";
import { linearRegression } from "../../../src/analytics/indicators/linear-regression.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("linearRegression", () => {
  it("fits a line through three values", () => {
    // 1, 3, 2: covariance 1 over 2; variance 2, of which 1/4 is explained.
    expect(linearRegression(of(1, 2, 3), 3)).toEqual({ slope: of(none, none, 1), r2: of(none, none, 1) });
    expect(linearRegression(of(1, 3, 2), 3)).toEqual({
      slope: of(none, none, 0.5),
      r2: of(none, none, 0.25),
    });
  });

  it("has an R2 of 0 for a constant series", () => {
    const { slope, r2 } = linearRegression(of(7, 0.1, 0.1, 0.1), 3);
    expect([slope[3], r2[3]]).toEqual([0, 0]);
  });
});
