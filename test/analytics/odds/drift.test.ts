import { describe, expect, it } from "vitest";
import { barsInYear, barsPerDay } from "../../../src/analytics/odds/bars-per-day.ts";
import { driftOf, yearlyDriftPercent } from "../../../src/analytics/odds/drift.ts";
import { type BarTimeframe, TIMEFRAME_MS } from "../../../src/domain/market/bars.ts";

/** Bars of whole days: `perDay` a day from 14:30 UTC on. */
const barsOf = (timeframe: BarTimeframe, perDay: number, days = 30) => ({
  timeframe,
  time: Float64Array.from(
    { length: perDay * days },
    (_, i) => Date.UTC(2026, 0, 5 + Math.floor(i / perDay), 14, 30) + (i % perDay) * TIMEFRAME_MS[timeframe],
  ),
});
const PER_DAY = { "4h": 2, "1h": 7, "30m": 13, "15m": 26, "5m": 78 } as const;

describe("the number of bars a day", () => {
  it("is counted in the series, because markets differ in their hours", () => {
    for (const [timeframe, perDay] of Object.entries(PER_DAY) as [keyof typeof PER_DAY, number][])
      expect(barsPerDay(barsOf(timeframe, perDay))).toBe(perDay);
    const allDay = {
      timeframe: "1h" as const,
      time: Float64Array.from({ length: 240 }, (_, i) => Date.UTC(2026, 0, 5) + i * 3_600_000),
    };
    expect(barsPerDay(allDay)).toBe(24);
    expect(barsInYear("crypto", allDay)).toBe(365 * 24);
    expect(barsInYear("equity", barsOf("1h", 7))).toBe(252 * 7);
  });

  it("is 1 for daily bars and a fifth for weekly ones", () => {
    expect(barsPerDay(barsOf("1d", 1))).toBe(1);
    expect(barsPerDay(barsOf("1w", 1))).toBe(0.2);
    expect(barsInYear("equity", barsOf("1d", 1))).toBe(252);
    expect(barsInYear("etf", barsOf("1w", 1))).toBe(52);
  });

  it("is at least 1, also without bars", () => {
    expect(barsPerDay({ timeframe: "1h", time: new Float64Array(0) })).toBe(1);
  });
});

describe("the assumed drift", () => {
  it("is 2 hundredths of a percent a session for stocks and funds, shared by the bars of a session", () => {
    expect(driftOf("equity", barsOf("1d", 1))).toBe(2e-4);
    expect(driftOf("equity", barsOf("1w", 1))).toBeCloseTo(1e-3, 12);
    expect(driftOf("etf", barsOf("1h", 7))).toBeCloseTo(2e-4 / 7, 12);
  });

  it("is none for crypto", () => {
    expect(driftOf("crypto", barsOf("1h", 24))).toBe(0);
    expect(yearlyDriftPercent("crypto")).toBe(0);
  });

  it("is published as the percent that 252 sessions add up to, rounded", () => {
    for (const assetClass of ["equity", "etf"] as const)
      expect(yearlyDriftPercent(assetClass)).toBe(
        Math.round(100 * 252 * driftOf(assetClass, barsOf("1d", 1))),
      );
  });
});
