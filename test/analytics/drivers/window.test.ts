import { describe, expect, it } from "vitest";
import {
  fitLine,
  highest,
  last,
  lowest,
  mean,
  median,
  midRank,
  tail,
} from "../../../src/analytics/drivers/window.ts";

const of = (...values: number[]) => Float64Array.from(values);

describe("window", () => {
  it("returns the end of a series, or all of a shorter one", () => {
    expect([...tail(of(1, 2, 3), 2)]).toEqual([2, 3]);
    expect([...tail(of(1, 2, 3), 5)]).toEqual([1, 2, 3]);
    expect(last(of(1, 2, 3))).toBe(3);
    expect(last(of())).toBeNaN();
  });

  it("returns the extremes and the mean", () => {
    expect([highest(of(2, 9, 4)), lowest(of(2, 9, 4)), mean(of(2, 9, 4))]).toEqual([9, 2, 5]);
  });

  it("returns exactly the value as the mean of equal values", () => {
    expect(mean(new Float64Array(200).fill(42.1))).toBe(42.1);
    expect(mean(of())).toBeNaN();
  });

  it("returns the median, or the mean of the two middle values, without modifying the input", () => {
    const values = of(9, 1, 5);
    expect(median(values)).toBe(5);
    expect(median(of(9, 1, 5, 7))).toBe(6);
    expect(median(of(10, 9, 100))).toBe(10);
    expect([...values]).toEqual([9, 1, 5]);
    expect(median(of())).toBeNaN();
  });

  it("ranks by the share of lower values plus half of the ties, including the value itself", () => {
    expect(midRank([1, 2, 3, 4], 4)).toBe(0.875);
    expect(midRank([1, 2, 3, 4], 1)).toBe(0.125);
    expect(midRank([5, 5, 5, 5], 5)).toBe(0.5);
    expect(midRank([1, 2, 2, 9], 2)).toBe(0.5);
  });

  it("fits a line and returns its R2", () => {
    expect(fitLine(of(1, 3, 5, 7))).toEqual({ slope: 2, r2: 1 });
    expect(fitLine(of(7, 5, 3, 1))).toEqual({ slope: -2, r2: 1 });
    // Deviations of x -1.5 -.5 .5 1.5 against y 0 2 1 3: Sxy 4, Sxx 5, Syy 5.
    const { slope, r2 } = fitLine(of(0, 2, 1, 3));
    expect(slope).toBeCloseTo(0.8, 14);
    expect(r2).toBeCloseTo(0.64, 14);
  });

  it("never returns an R2 above 1 through rounding", () => {
    for (let i = 1; i <= 500; i++) {
      const line = Float64Array.from({ length: 60 }, (_, k) => Math.log(i) + k * 0.0137 * i);
      expect(fitLine(line).r2).toBeLessThanOrEqual(1);
    }
  });

  it("has no slope if all values are equal, even if their mean is inexact in binary", () => {
    expect(fitLine(new Float64Array(20).fill(0.1))).toEqual({ slope: 0, r2: 0 });
    expect(fitLine(new Float64Array(60).fill(Math.log(123.45)))).toEqual({ slope: 0, r2: 0 });
  });
});
