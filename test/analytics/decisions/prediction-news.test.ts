import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BUY_AT,
  type PredictionNewsInput,
  predictionNewsDecision,
} from "../../../src/analytics/decisions/prediction-news.ts";

const WHOLE: PredictionNewsInput = {
  technical: 86,
  technicalReason: null,
  markets: 72.5,
  marketsReason: null,
  publishers: 3,
  publishersReason: null,
};
const decide = (over: Partial<PredictionNewsInput & { holds: boolean }> = {}) =>
  predictionNewsDecision({ ...WHOLE, holds: false, ...over });

const share = fc.option(fc.double({ min: 0, max: 100, noNaN: true }));
const readings = fc.record({
  technical: share,
  markets: share,
  publishers: fc.option(fc.integer({ min: 0, max: 9 })),
  technicalReason: fc.constant(null),
  marketsReason: fc.constant("no venue has such a contract"),
  publishersReason: fc.constant(null),
});

describe("the prediction and news decision", () => {
  it("buys if technical score, markets and publishers all qualify, and reports their values", () => {
    expect(decide()).toEqual({
      action: "buy",
      reason:
        "Bought, since the technical score is 86, minimum 85; markets give 72.5 %, minimum 70 %; publishers first with a bullish story: 3, minimum 3",
      conditions: [
        expect.objectContaining({ condition: "technical", passed: true, value: 86, needed: 85 }),
        expect.objectContaining({ condition: "markets", passed: true, value: 72.5, needed: 70 }),
        expect.objectContaining({ condition: "publishers", passed: true, value: 3, needed: 3 }),
      ],
    });
  });

  it("buys at exactly the thresholds, and not just below any of them", () => {
    expect(decide({ technical: 85, markets: 70, publishers: 3 }).action).toBe("buy");
    for (const under of [{ technical: 84.99 }, { markets: 69.99 }, { publishers: 2 }])
      expect(decide(under).action).toBe("hold");
  });

  it("reports each unmet condition with its value and threshold", () => {
    expect(decide({ technical: 80, publishers: 1 }).reason).toBe(
      "Not bought, since the technical score is 80, minimum 85; publishers first with a bullish story: 1, minimum 3",
    );
  });

  it("treats an unknown value as an unmet condition, with a reason", () => {
    expect(decide({ markets: null, marketsReason: "no contract is liquid" }).reason).toBe(
      "Not bought, since no market probability is known (no contract is liquid), minimum 70 %",
    );
    expect(decide({ technical: null, publishers: null }).conditions.map(({ passed }) => passed)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("sells an open position below 50 of either score, and holds at 50", () => {
    const held = { holds: true };
    expect(decide({ ...held, technical: 49.9, markets: 40 })).toMatchObject({
      action: "sell",
      reason: "Sold, since the technical score 49.9 is under 50 and markets give 40 %, under 50 %",
    });
    expect(decide({ ...held, technical: 50, markets: 50 })).toMatchObject({
      action: "hold",
      reason: "Held: the technical score is 50 and markets give 50 %; sells if either is under 50",
    });
    expect(decide({ ...held, technical: null, markets: 49 }).action).toBe("sell");
  });

  it("holds the position if all values are unknown", () => {
    const unknownParts = { holds: true, technical: null, technicalReason: "too few bars", markets: null };
    expect(decide(unknownParts)).toMatchObject({
      action: "hold",
      reason:
        "Held: the technical score is unknown (too few bars) and no market probability is known; sells if either is under 50",
    });
  });

  it("never buys if a position is open or a value is missing, nor sells without a position", () => {
    fc.assert(
      fc.property(readings, (reading) => {
        const free = predictionNewsDecision({ ...reading, holds: false });
        const held = predictionNewsDecision({ ...reading, holds: true });
        expect(free.action).not.toBe("sell");
        expect(held.action).not.toBe("buy");
        const { technical, markets, publishers } = reading;
        const met =
          (technical ?? -1) >= BUY_AT.technical &&
          (markets ?? -1) >= BUY_AT.markets &&
          (publishers ?? -1) >= BUY_AT.publishers;
        expect(free.action === "buy").toBe(met);
      }),
    );
  });
});
