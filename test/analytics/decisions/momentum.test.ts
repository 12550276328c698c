import { describe, expect, it } from "vitest";
import { momentumDecision } from "../../../src/analytics/decisions/momentum.ts";
import { GRADES } from "../../../src/analytics/score/grade.ts";

describe("the momentum decision", () => {
  it("buys A+ and A where nothing is held, and no other grade", () => {
    const bought = GRADES.filter((grade) => momentumDecision({ grade, holds: false }).action === "buy");
    expect(bought).toEqual(["A+", "A"]);
  });

  it("sells D, D- and F where something is held, and no other grade", () => {
    const sold = GRADES.filter((grade) => momentumDecision({ grade, holds: true }).action === "sell");
    expect(sold).toEqual(["D", "D-", "F"]);
  });

  it("never buys what it holds, nor sells what it does not", () => {
    for (const grade of GRADES) {
      expect(momentumDecision({ grade, holds: true }).action).not.toBe("buy");
      expect(momentumDecision({ grade, holds: false }).action).not.toBe("sell");
    }
  });

  it("holds without a grade, and says why", () => {
    expect(momentumDecision({ grade: null, holds: true })).toEqual({
      action: "hold",
      reason: "No grade: too little data to act on",
    });
  });

  it("names the grade in every other reason", () => {
    expect(momentumDecision({ grade: "B+", holds: false }).reason).toBe(
      "Grade B+ is neither bought (A+, A) nor sold (D, D-, F)",
    );
    expect(momentumDecision({ grade: "A", holds: true }).reason).toBe(
      "Grade A is bought, and is held already",
    );
    expect(momentumDecision({ grade: "D", holds: false }).reason).toBe("Grade D is sold, and none is held");
  });
});
