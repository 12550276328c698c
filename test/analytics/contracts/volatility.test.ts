import { describe, expect, it } from "vitest";
import { realisedVolatility, spreadUntil } from "../../../src/analytics/contracts/probability.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { climbingBars } from "../../support/market.ts";

/** Closes that go up and down by 1 percent in turn. */
const swinging = (count: number, zone: Bars["zone"] = "UTC"): Bars => {
  const bars = climbingBars({ count, zone });
  return { ...bars, close: Float64Array.from(bars.close, (_, i) => 100 * Math.exp(i % 2 === 0 ? 0 : 0.01)) };
};

describe("realised volatility", () => {
  it("is the spread of the last 63 daily moves", () => {
    // 32 moves of one sign and 31 of the other: mean .01/63, variance (63 x .0001 - .0001/63) / 62
    const expected = Math.sqrt((63 * 1e-4 - 1e-4 / 63) / 62);
    expect(realisedVolatility(swinging(64))).toBeCloseTo(expected, 12);
    expect(realisedVolatility(swinging(300))).toEqual(realisedVolatility(swinging(64)));
  });

  it("spreads a session's variance over the days between sessions of an exchange", () => {
    const [around, exchange] = [swinging(64), swinging(64, "America/New_York")].map(
      (bars) => realisedVolatility(bars)!,
    ) as [number, number];
    expect(exchange ** 2 / around ** 2).toBeCloseTo(252 / 365, 12);
  });

  it("grows with the root of time", () => {
    const day = 86_400_000;
    expect(spreadUntil(0.02, 0, 25 * day)).toBeCloseTo(0.1, 12);
  });

  it("is null under 21 moves, without movement, and of bars that are not daily", () => {
    expect(realisedVolatility(swinging(21))).toBeNull();
    expect(realisedVolatility(swinging(22))).not.toBeNull();
    const still = climbingBars({ step: 0, count: 64 });
    expect(realisedVolatility(still)).toBeNull();
    expect(realisedVolatility({ ...swinging(64), timeframe: "1h" })).toBeNull();
  });
});
