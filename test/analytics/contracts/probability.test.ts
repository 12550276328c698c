import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  aboveProbability,
  realisedVolatility,
  spreadUntil,
  touchProbability,
} from "../../../src/analytics/contracts/probability.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { climbingBars } from "../../support/market.ts";

/** Closes that alternate up and down by 1 percent. */
const swinging = (count: number, zone: Bars["zone"] = "UTC"): Bars => {
  const bars = climbingBars({ count, zone });
  return { ...bars, close: Float64Array.from(bars.close, (_, i) => 100 * Math.exp(i % 2 === 0 ? 0 : 0.01)) };
};

describe("realised volatility", () => {
  it("is the standard deviation of the last 63 daily moves", () => {
    // 32 moves of one sign and 31 of the other: mean .01/63, variance (63 x .0001 - .0001/63) / 62.
    const expected = Math.sqrt((63 * 1e-4 - 1e-4 / 63) / 62);
    expect(realisedVolatility(swinging(64))).toBeCloseTo(expected, 12);
    expect(realisedVolatility(swinging(300))).toEqual(realisedVolatility(swinging(64)));
  });

  it("spreads the variance of exchange sessions over calendar days", () => {
    const [around, exchange] = [swinging(64), swinging(64, "America/New_York")].map(
      (bars) => realisedVolatility(bars)!,
    ) as [number, number];
    expect(exchange ** 2 / around ** 2).toBeCloseTo(252 / 365, 12);
  });

  it("scales with the square root of time", () => {
    const day = 86_400_000;
    expect(spreadUntil(0.02, 0, 25 * day)).toBeCloseTo(0.1, 12);
  });

  it("is null for fewer than 21 moves, without movement, and for bars that are not daily", () => {
    expect(realisedVolatility(swinging(21))).toBeNull();
    expect(realisedVolatility(swinging(22))).not.toBeNull();
    const still = climbingBars({ step: 0, count: 64 });
    expect(realisedVolatility(still)).toBeNull();
    expect(realisedVolatility({ ...swinging(64), timeframe: "1h" })).toBeNull();
  });
});

const reach = fc.record({
  price: fc.double({ min: 1, max: 1_000, noNaN: true }),
  level: fc.double({ min: 1, max: 1_000, noNaN: true }),
  spread: fc.double({ min: 0.01, max: 2, noNaN: true }),
});

describe("the driftless probability of a level", () => {
  // Python's statistics.NormalDist on N((ln(S/K) - s^2/2) / s)
  it.each([
    [100, 100, 0.2, 0.460172162722971],
    [100, 110, 0.2, 0.2821214382854219],
    [100, 80, 0.3, 0.7236810146983194],
  ])("of %d being above %d at a spread of %d", (price, level, spread, expected) => {
    expect(aboveProbability({ price, level, spread })).toBeCloseTo(expected, 12);
  });

  // First-passage density, integrated numerically over 200,000 steps.
  it("of touching a level matches the first-passage density", () => {
    expect(touchProbability({ price: 100, level: 110, spread: 0.2 }, "above")).toBeCloseTo(0.60326115786, 9);
    expect(touchProbability({ price: 100, level: 85, spread: 0.2 }, "below")).toBeCloseTo(0.45066935386, 9);
  });

  it("of touching a level is 1 if the price is already there", () => {
    expect(touchProbability({ price: 100, level: 100, spread: 0.2 }, "above")).toBe(1);
    expect(touchProbability({ price: 100, level: 101, spread: 0.2 }, "below")).toBe(1);
  });

  it("of touching a level is at least that of ending beyond it", () => {
    fc.assert(
      fc.property(reach, (at) => {
        const above = aboveProbability(at);
        expect(touchProbability(at, "above")).toBeGreaterThanOrEqual(above - 1e-12);
        expect(touchProbability(at, "below")).toBeGreaterThanOrEqual(1 - above - 1e-12);
      }),
    );
  });

  it("has the current price as its mean", () => {
    // The integral of P(S > K) over K, by the midpoint rule.
    const [price, spread, step] = [100, 0.25, 0.05];
    let mean = 0;
    for (let level = step / 2; level < 600; level += step)
      mean += aboveProbability({ price, level, spread }) * step;
    expect(mean).toBeCloseTo(100, 6);
  });
});
