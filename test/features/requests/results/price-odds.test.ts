import { describe, expect, it } from "vitest";
import { readerOf } from "../../../../src/features/requests/results/answer-reader.ts";
import { figuresOf } from "../../../../src/features/requests/results/figures.ts";

const band = (bars: number, low: number, high: number) => ({
  bars,
  p5: low,
  p95: high,
  base: { p5: low - 1, p95: high + 1 },
});
const outcomes = { stop_first: 0.6, target_first: 0.275, neither: 0.125 };
const ODDS = {
  from: 100.004,
  horizon: 10,
  timeframe: "1d",
  ranges: [band(5, 95, 105), band(10, 92.499, 109)],
  levels: [
    {
      price: 105,
      change_percent: 4.9958,
      touch: [
        { bars: 5, odds: 0.1, base: 0.2 },
        { bars: 10, odds: 0.3333, base: null },
      ],
    },
  ],
  plan: { side: "LONG", stop: 97, target: 108, ...outcomes, base: { ...outcomes, windows: 40 } },
  volatility: { horizon_percent: 31.25, realized_20_percent: null },
  source: "fixture",
  data_as_of: "2026-01-14T21:00:00.000Z",
};

describe("the figures of odds", () => {
  it("are those at the horizon, with base, source and time", () => {
    const percents = { stop_first_percent: 60, target_first_percent: 27.5, neither_percent: 12.5 };
    expect(figuresOf("get_odds", readerOf(ODDS), false)).toEqual({
      from: 100,
      horizon: 10,
      timeframe: "1d",
      low: 92.499,
      high: 109,
      base_low: 91.499,
      base_high: 110,
      levels: [{ price: 105, change_percent: 5, touch_percent: 33.3, base_percent: null }],
      plan: { side: "LONG", stop: 97, target: 108, ...percents, base: percents },
      volatility_percent: 31.3,
      realized_volatility_percent: null,
      source: "fixture",
      as_of: "2026-01-14T21:00Z",
    });
  });

  it("omit levels and plan that the question does not name", () => {
    const figures = figuresOf("get_odds", readerOf({ ...ODDS, levels: [], plan: null }), false);
    expect(figures).not.toHaveProperty("levels");
    expect(figures).not.toHaveProperty("plan");
  });
});
