import { describe, expect, it } from "vitest";
import { verdictWithout } from "../../../src/analytics/explain/contributions.ts";
import { computeVerdict } from "../../../src/analytics/score/verdict.ts";
import { driverValues, planOf } from "../../support/driver-values.ts";

const of = (count: number, value: number) => new Array(count).fill(value);
const price = { trend: of(7, 0.2), momentum: of(5, 0.2), volume: of(5, 0.2), relative_strength: [1, 0.5] };

describe("verdictWithout", () => {
  it("computes the verdict as if the driver were unknown", () => {
    const drivers = driverValues(price);
    // (25 x .2 + 20 x .2 + 15 x .2 + 15 x .75) / 75 = .31; without relative strength .2.
    expect(computeVerdict(drivers, 500, planOf(2))).toMatchObject({ direction: "LONG", grade: "B-" });
    expect(verdictWithout("r_mansfield", drivers, 500, planOf(2))).toEqual({
      score: expect.closeTo(60, 10),
      grade: "C+",
      direction: "WAIT",
    });
  });

  it("changes nothing for a driver that had no value", () => {
    const drivers = driverValues(price);
    const { score, grade, direction } = computeVerdict(drivers, 500, planOf(2));
    expect(verdictWithout("n_sent", drivers, 500, planOf(2))).toEqual({ score, grade, direction });
  });

  it("has no score if the driver is the only one of a group that coverage needs", () => {
    const drivers = driverValues({
      trend: of(4, 1),
      volume: of(5, 1),
      relative_strength: of(3, 1),
      volatility: of(3, 1),
    });
    expect(computeVerdict(drivers, 500, planOf(2)).score).toBe(100);
    expect(verdictWithout("t_ma200", drivers, 500, planOf(2))).toEqual({
      score: null,
      grade: null,
      direction: "WAIT",
    });
  });
});
