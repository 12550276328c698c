import { describe, expect, it } from "vitest";
import { balanceOf, deltaOf } from "../../../src/analytics/earnings/deltas.ts";
import type { ReportLine } from "../../../src/domain/earnings/earnings.ts";

const line = (current: number, prior: number, good: ReportLine["good"] = "UP"): ReportLine => ({
  name: "Orders",
  unit: "USD",
  current,
  prior,
  good,
});

describe("the year-on-year change of a line", () => {
  it.each([
    [105, 100, "UP", 5, "UP", true, false],
    [104.99, 100, "UP", 4.99, "UP", false, false],
    [95, 100, "UP", -5, "DOWN", false, true],
    [95, 100, "DOWN", -5, "DOWN", true, false],
    [110, 100, "DOWN", 10, "UP", false, true],
    [100.04, 100, "UP", 0.04, "FLAT", false, false],
    [-90, -100, "UP", 10, "UP", true, false],
    [5, 0, "UP", null, "UP", false, false],
    [0, 0, "UP", null, "FLAT", false, false],
  ] as const)("from %d to %d, good %s", (current, prior, good, changePct, direction, better, worse) => {
    expect(deltaOf(line(current, prior, good))).toEqual({
      name: "Orders",
      unit: "USD",
      current,
      prior,
      changePct,
      direction,
      isMateriallyPositive: better,
      isMateriallyNegative: worse,
    });
  });

  it("counts only significant changes, over all lines", () => {
    const deltas = [line(110, 100), line(120, 100), line(90, 100), line(101, 100)].map(deltaOf);
    expect(balanceOf(deltas)).toBe(0.25);
    expect(balanceOf([])).toBeNull();
  });
});
