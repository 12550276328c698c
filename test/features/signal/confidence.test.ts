import { describe, expect, it } from "vitest";
import type { SignalOdds } from "../../../src/domain/odds/odds.ts";
import { confidenceOf } from "../../../src/features/signal/confidence.ts";

const ODDS: SignalOdds = {
  version: "odds-1.0.0",
  bars: 20,
  from: 100,
  stop_first: 0.28,
  target_first: 0.31,
  neither: 0.41,
  base: { stop_first: 0.33, target_first: 0.35, neither: 0.32, windows: 480 },
  range_90: { low: 88, high: 113 },
};
const odds = { odds: ODDS, odds_reason: null };

const levels = { break_even_win_rate: 0.4 };

describe("confidence", () => {
  it("is the odds of target 1 before the stop, with the base of the symbol and an interval of 3 points", () => {
    expect(confidenceOf({ consensus: { agreement: 0.42, levels }, odds })).toEqual({
      confidence: 0.31,
      confidence_basis: "odds",
      confidence_base: 0.35,
      confidence_interval: { low: 0.28, high: 0.34 },
      agreement: 0.42,
    });
  });

  it("has an interval within 0 and 1, and no base without past windows", () => {
    const rare = { odds: { ...ODDS, target_first: 0.01, base: null }, odds_reason: null };
    expect(confidenceOf({ consensus: { agreement: 0, levels }, odds: rare })).toMatchObject({
      confidence_base: null,
      confidence_interval: { low: 0, high: 0.04 },
    });
  });

  it("is uncalibrated without odds: the share of targets without drift and time limit", () => {
    const none = { odds: null, odds_reason: "Odds need 120 bars, there are 119" };
    expect(confidenceOf({ consensus: { agreement: 0.2, levels }, odds: none })).toEqual({
      confidence: 0.4,
      confidence_basis: "uncalibrated",
      confidence_base: null,
      confidence_interval: null,
      agreement: 0.2,
    });
  });
});
