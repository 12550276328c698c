import { describe, expect, it } from "vitest";
import { GRADES, type Grade as Letter } from "../../../src/analytics/score/grade.ts";
import { gradeAt, gradeRank } from "../../../src/analytics/score/tape-columns.ts";
import { Grade } from "../../../src/domain/signal/signal.ts";

describe("the ranks of grades", () => {
  it("rise from 1 for F to 13 for A+, 0 being none", () => {
    expect([null, "F", "D-", "C", "B+", "A+"].map((grade) => gradeRank(grade as Letter | null))).toEqual([
      0, 1, 2, 6, 10, 13,
    ]);
    expect(GRADES).toEqual(Grade.options);
  });

  it("lead back to the grade", () => {
    for (const grade of [null, ...GRADES]) expect(gradeAt(gradeRank(grade))).toBe(grade);
  });
});
