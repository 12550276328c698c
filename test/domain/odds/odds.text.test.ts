import { describe, expect, it } from "vitest";
import {
  casesOf,
  formatLevel,
  formatPlan,
  formatPlanOdds,
  formatRange,
} from "../../../src/domain/odds/odds.text.ts";

const odds = {
  version: "odds-1.0.0",
  bars: 20,
  from: 100,
  stop_first: 0.28,
  target_first: 0.31,
  neither: 0.41,
  base: { stop_first: 0.33, target_first: 0.35, neither: 0.32, windows: 480 },
};

describe("odds in words", () => {
  it("are cases of 100 with their base rates", () => {
    expect(formatPlanOdds(odds)).toBe(
      "from 100.00, stop first in 28 of 100 cases, target in 31, neither within 20 bars in 41 (any close of this symbol: stop 33, target 35, neither 32; 480 past windows)",
    );
    const base = { ...odds.base, n_eff: 24, margin: 0.2, mean_r: -0.004 };
    expect(
      formatPlanOdds({
        ...odds,
        expected_r: { mean: 0.051, at_stop: -1.02, at_target: 0.75, at_neither: 0.4 },
        base,
      }),
    ).toBe(
      "from 100.00, expected +0.05 R in 20 bars: stop first in 28 of 100 cases (-1.02 R), target in 31 (+0.75 R), neither in 41 (+0.40 R) (any close of this symbol: 0.00 R; stop 33, target 35, neither 32; about 24 independent windows)",
    );
    expect(formatPlanOdds({ ...odds, base: null }, "target 1")).toBe(
      "from 100.00, stop first in 28 of 100 cases, target 1 in 31, neither within 20 bars in 41",
    );
  });

  it("are sentences on the range, the plan and a level, with prices as requested", () => {
    const price = (value: number) => `$${value}`;
    const quantiles = { p5: 90, p10: 92, p25: 96, p50: 100, p75: 104, p90: 108, p95: 112 };
    const range = { bars: 1, ...quantiles, base: null, move_percent: 4, base_move_percent: null };
    expect(formatRange(range, "4h", price)).toBe(
      "In 90 of 100 cases its close after 1 bar (4h) lies between $90 and $112.",
    );
    expect(formatRange({ ...range, bars: 20, base: { ...quantiles, p5: 88 } }, "1d", price)).toBe(
      "In 90 of 100 cases its close after 20 bars (1d) lies between $90 and $112 (base range in the past: $88 to $112).",
    );
    expect(formatPlan({ ...odds, base: null, side: "SHORT", stop: 104, target: 92 }, price)).toBe(
      "SHORT from $100, stop $104, target $92: stop first in 28 of 100 cases, target in 31, neither within 20 bars in 41.",
    );
    const level = { price: 95, change_percent: -5, touch: [{ bars: 20, odds: 0.31, base: 0.28 }] };
    expect(formatLevel(level, 20, price)).toBe(
      "$95 (-5.0%) is touched within 20 bars in 31 of 100 cases (base rate in the past: 28).",
    );
  });

  it("never claim certainty", () => {
    expect([0, 0.004, 0.005, 0.994, 0.995, 1].map(casesOf)).toEqual([
      "less than 1",
      "less than 1",
      "1",
      "99",
      "more than 99",
      "more than 99",
    ]);
  });
});
