import { describe, expect, it } from "vitest";
import { forecastOfPaths, normalForecast } from "./forecast.ts";

describe("a forecast of paths", () => {
  const forecast = forecastOfPaths({
    close: Float64Array.of(0.2, -0.1, 0, 0.1, 0.3),
    high: Float64Array.of(0.25, 0, 0.05, 0.1, 0.3),
    low: Float64Array.of(-0.02, -0.15, -0.1, 0, 0.01),
  });

  it("has the quantiles, touches and rises of its paths", () => {
    expect([0, 0.25, 0.375, 1].map(forecast.quantile)).toEqual([-0.1, 0, 0.05, 0.3]);
    expect(forecast.touch(0.1)).toBe(0.6);
    expect(forecast.touch(-0.1)).toBe(0.4);
    // a close that does not move is no rise
    expect(forecast.rise).toBeCloseTo(0.6, 12);
  });

  it("has the score of its closes", () => {
    // E|X - y| = (0.2 + 0.1 + 0 + 0.1 + 0.3) / 5 at 0; E|X - X'| = 2 (0.1 + 0.2 + 0.3 + 0.4 + 0.1 + 0.2 + 0.3 + 0.1 + 0.2 + 0.1) / 25
    expect(forecast.crps(0)).toBeCloseTo(0.14 - 0.16 / 2, 12);
  });
});

describe("a normal forecast", () => {
  const forecast = normalForecast(0.01, 0.1);

  it("has normal quantiles, rises and touches", () => {
    expect(forecast.quantile(0.5)).toBeCloseTo(0.01, 12);
    expect(forecast.quantile(0.975)).toBeCloseTo(0.01 + 0.1959964, 7);
    expect(normalForecast(0.1, 0.1).rise).toBeCloseTo(0.8413447, 7);
    // twice the probability of ending beyond the level
    expect(forecast.touch(-0.1)).toBeCloseTo(2 * 0.1586553, 6);
  });

  it.each([-0.3, 0, 0.01, 0.12])("has the score of its quantiles at %d", (happened) => {
    // CRPS is the integral of twice the pinball loss over all probabilities
    const count = 20_000;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const share = (i + 0.5) / count;
      const miss = happened - forecast.quantile(share);
      sum += 2 * (miss >= 0 ? share * miss : (share - 1) * miss);
    }
    expect(forecast.crps(happened)).toBeCloseTo(sum / count, 5);
  });

  it("is defined for a price that does not move", () => {
    const still = normalForecast(0, 0);
    expect(still.crps(0)).toBeCloseTo(0, 8);
    expect(still.crps(0.1)).toBeCloseTo(0.1, 8);
    expect(still.touch(0.1)).toBe(0);
  });
});
