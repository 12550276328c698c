import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adviceOn, type PositionFacts } from "../../../src/analytics/positions/advice.ts";
import { costOf } from "../../../src/analytics/positions/cost.ts";
import { GRADES } from "../../../src/analytics/score/grade.ts";

const long: PositionFacts = {
  side: "LONG",
  price: 100,
  now: { direction: "LONG", grade: "A" },
  first: { grade: "A", stop: 90, stopSource: "signal" },
};
const short: PositionFacts = {
  side: "SHORT",
  price: 100,
  now: { direction: "SHORT", grade: "F" },
  first: { grade: "F", stop: 110, stopSource: "order" },
};

describe("position advice", () => {
  it("is HOLD if the signal still agrees with the position", () => {
    expect(adviceOn(long)).toEqual({
      action: "HOLD",
      why: ["The signal still says LONG"],
      stopBreached: false,
      gradeSteps: 0,
    });
    expect(adviceOn(short)).toMatchObject({ action: "HOLD", why: ["The signal still says SHORT"] });
  });

  it("is HOLD if the signal is WAIT, with that as the reason", () => {
    expect(adviceOn({ ...long, now: { direction: "WAIT", grade: "B+" } })).toEqual({
      action: "HOLD",
      why: ["The signal says WAIT: neither for nor against a LONG position"],
      // From A through A- to B+.
      stopBreached: false,
      gradeSteps: -2,
    });
  });

  it("is EXIT at exactly the stop price, for either direction", () => {
    expect(adviceOn({ ...long, price: 90.01 })).toMatchObject({ action: "HOLD", stopBreached: false });
    expect(adviceOn({ ...long, price: 90 })).toMatchObject({
      action: "EXIT",
      stopBreached: true,
      why: ["The price 90 is at or below the stop 90 of the signal when the position was first seen"],
    });
    expect(adviceOn({ ...short, price: 109.99 })).toMatchObject({ action: "HOLD", stopBreached: false });
    expect(adviceOn({ ...short, price: 110 })).toMatchObject({
      action: "EXIT",
      stopBreached: true,
      why: ["The price 110 is at or above the stop 110 of its order"],
    });
  });

  it("is EXIT if the signal opposes the position, with all reasons, the most important first", () => {
    const now = { direction: "SHORT", grade: "F" } as const;
    expect(adviceOn({ ...long, price: 80, now })).toEqual({
      action: "EXIT",
      stopBreached: true,
      gradeSteps: -11,
      why: [
        "The price 80 is at or below the stop 90 of the signal when the position was first seen",
        "The signal says SHORT, against a LONG position",
        "Grade F is one of the worst for a LONG position",
        "The grade went from A to F, against a LONG position",
      ],
    });
  });

  it("is EXIT at the worst grades for the position, even if the signal is WAIT", () => {
    const worst = (side: "LONG" | "SHORT") =>
      GRADES.filter((grade) => {
        const first = { grade, stop: null, stopSource: null };
        return adviceOn({ side, price: 1, now: { direction: "WAIT", grade }, first }).action === "EXIT";
      });
    expect(worst("LONG")).toEqual(["D", "D-", "F"]);
    expect(worst("SHORT")).toEqual(["A+", "A"]);
  });

  it("is REDUCE after a loss of a whole letter grade, and not for less", () => {
    const at = (grade: "A-" | "B+" | "B") => adviceOn({ ...long, now: { direction: "WAIT", grade } });
    expect(at("B+").action).toBe("HOLD");
    expect(at("B")).toMatchObject({
      action: "REDUCE",
      gradeSteps: -3,
      why: ["The grade went from A to B, against a LONG position"],
    });
    // A higher grade is worse for a short position.
    expect(adviceOn({ ...short, now: { direction: "WAIT", grade: "D+" } })).toMatchObject({
      action: "REDUCE",
      gradeSteps: -3,
    });
  });

  it("is REVIEW if the signal is unavailable, unless the stop was reached", () => {
    expect(adviceOn({ ...long, now: null })).toEqual({
      action: "REVIEW",
      why: ["The current signal could not be read"],
      stopBreached: false,
      gradeSteps: null,
    });
    expect(adviceOn({ ...long, now: null, price: 89 }).action).toBe("EXIT");
  });

  it("returns null for an unknown stop or grade change", () => {
    expect(adviceOn({ ...long, first: null })).toMatchObject({ stopBreached: null, gradeSteps: null });
    expect(adviceOn({ ...long, price: null })).toMatchObject({ stopBreached: null, action: "HOLD" });
    const first = { grade: null, stop: null, stopSource: null };
    expect(adviceOn({ ...long, first })).toMatchObject({ stopBreached: null, gradeSteps: null });
    expect(adviceOn({ ...long, now: { direction: "LONG", grade: null } }).gradeSteps).toBeNull();
  });

  it("counts grade steps symmetrically for long and short", () => {
    const grade = fc.constantFrom(...GRADES);
    fc.assert(
      fc.property(grade, grade, (from, to) => {
        const steps = (side: "LONG" | "SHORT") =>
          adviceOn({
            side,
            price: 1,
            now: { direction: "WAIT", grade: to },
            first: { grade: from, stop: null, stopSource: null },
          }).gradeSteps!;
        expect(steps("LONG") + steps("SHORT")).toBe(0);
        expect(steps("LONG")).toBe(GRADES.indexOf(from) - GRADES.indexOf(to));
      }),
    );
  });
});

it("sorts short and long positions together by their value at entry", () => {
  const held = [
    ["small", "1", "100"],
    ["short", "-3", "150.5"],
    ["coins", "0.01", "140000"],
  ] as const;
  const costs = held.map(([name, quantity, averagePrice]) => [name, costOf({ quantity, averagePrice })]);
  expect(costs).toEqual([
    ["small", 100],
    ["short", 451.5],
    ["coins", 1400],
  ]);
});
