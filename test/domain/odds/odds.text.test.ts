import { describe, expect, it } from "vitest";
import { casesOf, formatPlanOdds } from "../../../src/domain/odds/odds.text.ts";

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
      "stop first in 28 of 100 cases, target first in 31, neither within 20 bars in 41 (base rates in the past: 33, 35, 32)",
    );
    expect(formatPlanOdds({ ...odds, base: null }, "target 1")).toBe(
      "stop first in 28 of 100 cases, target 1 first in 31, neither within 20 bars in 41",
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
