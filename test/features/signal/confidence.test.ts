import { describe, expect, it } from "vitest";
import { planError } from "../../../src/analytics/odds/past-coverage.ts";
import type { SignalOdds } from "../../../src/domain/odds/odds.ts";
import { confidenceInterval, confidenceOf } from "../../../src/features/signal/confidence.ts";

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
  it("is the odds of target 1 before the stop, with the base of the symbol", () => {
    expect(confidenceOf({ consensus: { agreement: 0.42, levels }, odds })).toEqual({
      confidence: 0.31,
      confidence_basis: "odds",
      confidence_base: 0.35,
      agreement: 0.42,
    });
  });

  it("has no base without past windows", () => {
    const rare = { odds: { ...ODDS, target_first: 0.01, base: null }, odds_reason: null };
    expect(confidenceOf({ consensus: { agreement: 0, levels }, odds: rare })).toMatchObject({
      confidence_base: null,
    });
  });

  it("is uncalibrated without odds: the share of targets without drift and time limit", () => {
    const none = { odds: null, odds_reason: "Odds need 120 bars, there are 119" };
    expect(confidenceOf({ consensus: { agreement: 0.2, levels }, odds: none })).toEqual({
      confidence: 0.4,
      confidence_basis: "uncalibrated",
      confidence_base: null,
      agreement: 0.2,
    });
  });
});

describe("the interval of a confidence", () => {
  const subject = { side: "LONG", assetClass: "equity", kind: "stock", timeframe: "1d" } as const;
  const odds = (confidence: number) => ({ confidence, confidence_basis: "odds" }) as const;

  it("is the odds plus and minus the published error of the class and side, within 0 and 1", () => {
    const error = planError({ assetClass: "equity", kind: "stock" }, "LONG", "1d")!;
    const { low, high } = confidenceInterval(odds(0.31), subject)!;
    expect(low).toBeCloseTo(0.31 - error, 2);
    expect(high).toBeCloseTo(0.31 + error, 2);
    expect(confidenceInterval(odds(0), subject)!.low).toBe(0);
    expect(confidenceInterval(odds(1), subject)!.high).toBe(1);
    const short = confidenceInterval(odds(0.31), {
      ...subject,
      assetClass: "crypto",
      kind: "coin",
      side: "SHORT",
    })!;
    expect(short.high).toBeCloseTo(
      0.31 + planError({ assetClass: "crypto", kind: "coin" }, "SHORT", "1d")!,
      2,
    );
  });

  it("is null on bars other than daily, of which none is measured, and without odds", () => {
    expect(confidenceInterval(odds(0.31), { ...subject, timeframe: "1h" })).toBeNull();
    expect(confidenceInterval(odds(0.31), { ...subject, kind: "near_cash" })).toBeNull();
    expect(confidenceInterval({ confidence: 0.31, confidence_basis: "uncalibrated" }, subject)).toBeNull();
  });
});
