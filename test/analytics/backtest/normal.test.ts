import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalCdf, normalQuantile } from "../../../src/analytics/backtest/normal.ts";

describe("normal", () => {
  // SciPy 1.x norm.cdf
  it.each([
    [-10, 7.61985302416047e-24],
    [-5, 2.866515718791933e-7],
    [-4.000001, 3.167110800316176e-5],
    [-3.999999, 3.1671375663613304e-5],
    [-2, 0.022750131948179195],
    [-1, 0.15865525393145707],
    [0, 0.5],
    [1, 0.8413447460685429],
    [3.9999, 0.9999683153724673],
    [4.0001, 0.9999683421385132],
  ])("has the reference probability under %s, to 13 digits", (z, p) => {
    expect(normalCdf(z) / p).toBeCloseTo(1, 12);
  });

  // SciPy 1.x norm.ppf
  it.each([
    [1e-300, -37.0470962993612],
    [1e-20, -9.262340089798409],
    [1e-9, -5.9978070150076865],
    [0.001, -3.090232306167813],
    [0.025, -1.9599639845400545],
    [0.3, -0.5244005127080409],
    [0.975, 1.9599639845400545],
    [0.999999, 4.753424308817087],
  ])("has the reference quantile at %s, to 12 digits", (p, z) => {
    expect(normalQuantile(p) / z).toBeCloseTo(1, 11);
  });

  it("handles infinite arguments and probabilities outside [0, 1]", () => {
    expect([normalCdf(Number.NEGATIVE_INFINITY), normalCdf(Number.POSITIVE_INFINITY)]).toEqual([0, 1]);
    expect([normalQuantile(0), normalQuantile(1)]).toEqual([
      Number.NEGATIVE_INFINITY,
      Number.POSITIVE_INFINITY,
    ]);
    expect([normalQuantile(-0.1), normalQuantile(1.1), normalCdf(Number.NaN)]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });

  it("inverts a quantile to its probability", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true }), (p) => {
        expect(Math.abs(normalCdf(normalQuantile(p)) - p)).toBeLessThan(1e-13);
      }),
    );
  });
});
