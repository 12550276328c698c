import { describe, expect, it } from "vitest";
import { driftOf, yearlyDriftPercent } from "../../../src/analytics/odds/drift.ts";
import { BAR_TIMEFRAMES } from "../../../src/domain/market/bars.ts";

describe("the assumed drift", () => {
  it("is 2 hundredths of a percent a session for stocks and funds, shared by the bars of a session", () => {
    const drifts = BAR_TIMEFRAMES.map((timeframe) => [timeframe, driftOf("equity", timeframe)]);
    expect(Object.fromEntries(drifts)).toEqual({
      "1w": expect.closeTo(1e-3, 12),
      "1d": 2e-4,
      "4h": 1e-4, // a regular session of 6.5 hours has two
      "1h": expect.closeTo(2e-4 / 7, 12), // seven, the last one of half an hour
      "30m": expect.closeTo(2e-4 / 13, 12),
      "15m": expect.closeTo(2e-4 / 26, 12),
      "5m": expect.closeTo(2e-4 / 78, 12),
      "1m": expect.closeTo(2e-4 / 390, 12),
    });
    for (const timeframe of BAR_TIMEFRAMES)
      expect(driftOf("etf", timeframe)).toBe(driftOf("equity", timeframe));
  });

  it("is none for crypto", () => {
    for (const timeframe of BAR_TIMEFRAMES) expect(driftOf("crypto", timeframe)).toBe(0);
    expect(yearlyDriftPercent("crypto")).toBe(0);
  });

  it("is published as the percent that 252 sessions add up to, rounded", () => {
    for (const assetClass of ["equity", "etf"] as const)
      expect(yearlyDriftPercent(assetClass)).toBe(Math.round(100 * 252 * driftOf(assetClass, "1d")));
  });
});
