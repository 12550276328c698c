import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EdgeAssessment, edgeDecision } from "../../../src/analytics/decisions/edge.ts";
import { momentumDecision } from "../../../src/analytics/decisions/momentum.ts";
import { GRADES } from "../../../src/analytics/score/grade.ts";

const UNDER: EdgeAssessment = {
  type: "UNDERPRICED",
  actionability: "HIGH",
  marketProbability: 33,
  newsSentiment: 47.5,
  divergence: 14.5,
  nullReason: null,
};
const decide = (over: Partial<EdgeAssessment & { holds: boolean }> = {}) =>
  edgeDecision({ ...UNDER, holds: false, ...over });
const NUMBERS = "markets give 33 %, news 47.5 %, 14.5 points apart";

describe("the edge decision", () => {
  it("buys an UNDERPRICED edge with HIGH actionability if no position is open", () => {
    expect(decide()).toEqual({
      action: "buy",
      reason: `UNDERPRICED with actionability HIGH: ${NUMBERS}; full size at HIGH`,
      size: 1,
    });
    expect(decide({ holds: true })).toEqual({
      action: "hold",
      reason: `UNDERPRICED with actionability HIGH: ${NUMBERS}; a buy, but a position is already held`,
    });
  });

  it("closes an open position on OVERPRICED with HIGH actionability, and opens nothing", () => {
    expect(decide({ type: "OVERPRICED", holds: true })).toMatchObject({ action: "sell", size: 1 });
    expect(decide({ type: "OVERPRICED" })).toEqual({
      action: "hold",
      reason: `OVERPRICED with actionability HIGH: ${NUMBERS}; a sell, but no position is held`,
    });
  });

  it("trades half the size at MEDIUM, and says so", () => {
    const reason = (type: string) =>
      `${type} with actionability MEDIUM: ${NUMBERS}; half size at MEDIUM, on paper only`;
    const medium = { actionability: "MEDIUM" } as const;
    expect(decide(medium)).toEqual({ action: "buy", reason: reason("UNDERPRICED"), size: 0.5 });
    expect(decide({ ...medium, holds: true }).action).toBe("hold");
    const over = { ...medium, type: "OVERPRICED" } as const;
    expect(decide({ ...over, holds: true })).toEqual({
      action: "sell",
      reason: reason("OVERPRICED"),
      size: 0.5,
    });
    expect(decide(over).action).toBe("hold");
    expect(decide({ ...medium, type: "FAIR" }).action).toBe("hold");
  });

  it("does not act on lower actionability, nor on FAIR", () => {
    for (const holds of [true, false])
      for (const type of ["UNDERPRICED", "OVERPRICED", "FAIR"] as const)
        for (const actionability of ["LOW", "NONE"] as const)
          expect(decide({ type, actionability, holds })).toEqual({
            action: "hold",
            reason: `${type} with actionability ${actionability}: ${NUMBERS}; only actionability MEDIUM or HIGH leads to a trade`,
          });
    expect(decide({ type: "FAIR", holds: true }).action).toBe("hold");
  });

  it("holds without a verdict, with the reason", () => {
    const none = { type: null, actionability: "NONE", nullReason: "No news of the last 7 days" } as const;
    expect(decide({ ...none, holds: true })).toEqual({
      action: "hold",
      reason: "No edge is known: No news of the last 7 days",
    });
  });

  it("never buys if a position is open, nor sells if none is", () => {
    const reading = fc.record({
      type: fc.constantFrom("UNDERPRICED", "OVERPRICED", "FAIR", null),
      actionability: fc.constantFrom("HIGH", "MEDIUM", "LOW", "NONE"),
    });
    fc.assert(
      fc.property(reading, (over) => {
        expect(decide({ ...over, holds: true } as never).action).not.toBe("buy");
        expect(decide({ ...over, holds: false } as never).action).not.toBe("sell");
      }),
    );
  });
});

describe("the momentum decision", () => {
  it("buys on A+ and A without an open position, and on no other grade", () => {
    const bought = GRADES.filter((grade) => momentumDecision({ grade, holds: false }).action === "buy");
    expect(bought).toEqual(["A+", "A"]);
  });

  it("sells an open position on D, D- and F, and on no other grade", () => {
    const sold = GRADES.filter((grade) => momentumDecision({ grade, holds: true }).action === "sell");
    expect(sold).toEqual(["D", "D-", "F"]);
  });

  it("never buys if a position is open, nor sells if none is", () => {
    for (const grade of GRADES) {
      expect(momentumDecision({ grade, holds: true }).action).not.toBe("buy");
      expect(momentumDecision({ grade, holds: false }).action).not.toBe("sell");
    }
  });

  it("holds without a grade, with a reason", () => {
    expect(momentumDecision({ grade: null, holds: true })).toEqual({
      action: "hold",
      reason: "No grade: too little data to act on",
    });
  });

  it("includes the grade in every other reason", () => {
    expect(momentumDecision({ grade: "B+", holds: false }).reason).toBe(
      "Grade B+ is neither a buy (A+, A) nor a sell (D, D-, F)",
    );
    expect(momentumDecision({ grade: "A", holds: true }).reason).toBe(
      "Grade A is a buy, but a position is already held",
    );
    expect(momentumDecision({ grade: "D", holds: false }).reason).toBe(
      "Grade D is a sell, but no position is held",
    );
  });
});
