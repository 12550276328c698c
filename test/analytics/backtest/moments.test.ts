import { describe, expect, it } from "vitest";
import { annualSharpe, momentsOf } from "../../../src/analytics/backtest/moments.ts";

const returns = Float64Array.of(0.01, -0.02, 0.03, 0.02);

describe("moments", () => {
  it("are those of a calculation by hand", () => {
    // mean .01; deviations 0, -.03, .02, .01: squares 14e-4, cubes -18e-6, fourths 98e-8
    const { count, mean, deviation, skewness, kurtosis } = momentsOf(returns)!;
    expect(count).toBe(4);
    expect(mean).toBeCloseTo(0.01, 16);
    expect(deviation).toBeCloseTo(Math.sqrt(14e-4 / 3), 15);
    expect(skewness).toBeCloseTo(-4.5e-6 / 3.5e-4 ** 1.5, 12);
    expect(kurtosis).toBeCloseTo(98 / 49, 12);
  });

  it("give the Sharpe ratio of a day, and over a year", () => {
    expect(annualSharpe(returns, 1)).toBeCloseTo(0.01 / Math.sqrt(14e-4 / 3), 14);
    expect(annualSharpe(returns, 4)).toBe(2 * annualSharpe(returns, 1)!);
  });

  it.each([
    ["no day", []],
    ["one day", [0.01]],
    ["days without a move", [0, 0, 0]],
    ["days of one move, which has no exact binary form", [0.001, 0.001, 0.001, 0.001, 0.001, 0.001, 0.001]],
  ])("are not defined over %s", (_, values) => {
    expect(momentsOf(Float64Array.from(values))).toBeNull();
    expect(annualSharpe(Float64Array.from(values), 252)).toBeNull();
  });
});
