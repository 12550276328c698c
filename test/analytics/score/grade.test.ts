import { describe, expect, it } from "vitest";
import { GRADES, gradeOf } from "../../../src/analytics/score/grade.ts";
import { Grade } from "../../../src/domain/signal/signal.ts";

const JUST = 1e-12;

describe("gradeOf", () => {
  it.each([
    { cut: 0.7, at: "A+", below: "A" },
    { cut: 0.65, at: "A", below: "A-" },
    { cut: 0.55, at: "A-", below: "B+" },
    { cut: 0.45, at: "B+", below: "B" },
    { cut: 0.35, at: "B", below: "B-" },
    { cut: 0.25, at: "B-", below: "C+" },
    { cut: 0.1, at: "C+", below: "C" },
  ])("gives $at from $cut on, $below just under", ({ cut, at, below }) => {
    expect([gradeOf(cut), gradeOf(cut - JUST)]).toEqual([at, below]);
  });

  it.each([
    { cut: -0.1, above: "C", at: "C-" },
    { cut: -0.25, above: "C-", at: "D+" },
    { cut: -0.5, above: "D+", at: "D" },
    { cut: -0.6, above: "D", at: "D-" },
    { cut: -0.7, above: "D-", at: "F" },
  ])("gives $above only above $cut, $at at it", ({ cut, above, at }) => {
    expect([gradeOf(cut + JUST), gradeOf(cut)]).toEqual([above, at]);
  });

  it("runs from A+ to F without skipping a letter", () => {
    const seen = new Set(Array.from({ length: 201 }, (_, i) => gradeOf(1 - i / 100)));
    expect([...seen]).toEqual([...GRADES]);
  });
});

it("has the letters that answers are typed with", () => {
  expect(Grade.options).toEqual([...GRADES]);
});
