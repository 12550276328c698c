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

describe("confidence", () => {
  it("is the odds of target 1 before the stop, with the base of the symbol and an interval of 3 points", () => {
    for (const direction of ["LONG", "SHORT"] as const)
      expect(confidenceOf({ consensus: { direction, agreement: 0.42 }, odds })).toEqual({
        confidence: 0.31,
        confidence_basis: "odds",
        confidence_base: 0.35,
        confidence_interval: { low: 0.28, high: 0.34 },
        agreement: 0.42,
      });
  });

  it("has an interval within 0 and 1, and no base without past windows", () => {
    const rare = { odds: { ...ODDS, target_first: 0.01, base: null }, odds_reason: null };
    expect(confidenceOf({ consensus: { direction: "LONG", agreement: 0 }, odds: rare })).toMatchObject({
      confidence_base: null,
      confidence_interval: { low: 0, high: 0.04 },
    });
  });

  it("is the agreement of the drivers for WAIT and without odds, labelled uncalibrated", () => {
    const uncalibrated = {
      confidence: 0.2,
      confidence_basis: "uncalibrated",
      confidence_base: null,
      confidence_interval: null,
      agreement: 0.2,
    };
    const none = { odds: null, odds_reason: "There are no levels" };
    expect(confidenceOf({ consensus: { direction: "WAIT", agreement: 0.2 }, odds })).toEqual(uncalibrated);
    expect(confidenceOf({ consensus: { direction: "LONG", agreement: 0.2 }, odds: none })).toEqual(
      uncalibrated,
    );
  });
});
