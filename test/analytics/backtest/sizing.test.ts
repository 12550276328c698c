import { describe, expect, it } from "vitest";
import { type EntryState, sizeOf } from "../../../src/analytics/backtest/sizing.ts";
import { addTrade, emptyTradeStats } from "../../../src/analytics/backtest/trade-stats.ts";
import type { Sizing } from "../../../src/domain/backtest/backtest.ts";

/** Price 100, equity 10,000 USD, ATR14 of 5. */
const entry = (changes: Partial<EntryState> = {}): EntryState => ({
  price: 100,
  cost: 100,
  equity: 10_000,
  available: 10_000,
  streams: 1,
  stop: Number.NaN,
  range: 5,
  atRisk: 0,
  tradeStats: emptyTradeStats(),
  ...changes,
});
const record = (wins: number, won: number, losses: number, lost: number) => {
  const made = emptyTradeStats();
  for (let i = 0; i < wins; i++) addTrade(made, won);
  for (let i = 0; i < losses; i++) addTrade(made, -lost);
  return made;
};
const size = (
  kind: Sizing["kind"],
  value: number | null,
  changes: Partial<EntryState> = {},
  fractional = false,
) => {
  const sized = sizeOf(entry(changes), { kind, value }, fractional);
  return typeof sized === "string" ? sized : sized.units;
};

describe("sizeOf", () => {
  it("sizes all-in less a small margin, in whole units, or an equal share of equity", () => {
    expect(size("all_in", null)).toBe(99);
    expect(size("all_in", null, { cost: 99.9 })).toBe(100);
    expect(size("all_in", null, { streams: 4, cost: 99.9 })).toBe(25);
    expect(size("all_in", null, { streams: 4 }, true)).toBeCloseTo(25, 12);
  });

  it("sizes a percentage of equity, limited by the available cash", () => {
    expect(size("percent", 25, { cost: 99.9 })).toBe(25);
    expect(size("percent", 25, { cost: 99.9, available: 1_000 })).toBe(10);
    expect(size("percent", 0.5)).toBe("cash");
  });

  it("buys all requested units or none", () => {
    expect(size("units", 100)).toBe(100);
    expect(size("units", 101)).toBe("cash");
    expect(size("units", 2.5)).toBe(2);
    expect(size("units", 2.5, {}, true)).toBe(2.5);
    expect(size("units", 1, { available: 0 })).toBe("cash");
  });

  it("risks a percentage of equity over two ATR14, whatever the stop", () => {
    expect(size("volatility", 1)).toBe(10);
    expect(size("volatility", 1, { stop: 99 })).toBe(10);
    expect(size("volatility", 50, { available: 5_000 })).toBe(49);
    expect(size("volatility", 1, { range: Number.NaN })).toBe("no_range");
    expect(size("volatility", 1, { range: 0 })).toBe("no_range");
  });

  it("risks half a percent of equity until the record has 20 trades", () => {
    expect(size("kelly", 0.25)).toBe(5);
    expect(size("kelly", 0.25, { tradeStats: record(19, 3, 0, 1) })).toBe(5);
    expect(size("kelly", 0.25, { stop: 90 })).toBe(5);
    expect(size("kelly", 0.25, { stop: 75 })).toBe(2);
  });

  it("uses its fraction of Kelly from the trade record", () => {
    // 12 of 20 won: p at least .386582, b = 2, f = .386582 - .613418 / 2 = .079873
    const tradeStats = record(12, 2, 8, 1);
    expect(size("kelly", 0.1, { tradeStats, range: 50 }, true)).toBeCloseTo(0.79873, 4);
    // A quarter of Kelly is 2 %, above the cap of 1 %.
    expect(size("kelly", null, { tradeStats, range: 50 }, true)).toBeCloseTo(1, 12);
  });

  it("refuses to size if the trade record shows no edge", () => {
    expect(size("kelly", 0.25, { tradeStats: record(12, 1, 8, 1) })).toBe("no_edge");
    expect(size("kelly", 0.25, { tradeStats: record(0, 1, 20, 1) })).toBe("no_edge");
  });

  it("buys for at most a tenth of equity, and risks at most six percent in total", () => {
    expect(size("kelly", 0.25, { range: 1 }, true)).toBeCloseTo(10, 12);
    expect(size("kelly", 0.25, { range: 50, atRisk: 580 }, true)).toBeCloseTo(0.2, 12);
    expect(size("kelly", 0.25, { atRisk: 600 })).toBe("risk_cap");
  });
});
