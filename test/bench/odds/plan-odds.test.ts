import { describe, expect, it } from "vitest";
import { planCalibrations, planDifferences, planErrors } from "./plan-odds.ts";
import type { PlanScore } from "./walk.ts";

const blockOf = () => 0;
const plan = (overrides: Partial<PlanScore>): PlanScore => ({
  time: 0,
  side: "LONG",
  odds: 0.2,
  base: 0.2,
  happened: false,
  stopOdds: 0.6,
  isStopped: true,
  newest: { stop: 0.6, target: 0.2 },
  expectedR: 0,
  r: -1,
  ...overrides,
});
const errorOf = (value: number) => ({ value: expect.closeTo(value, 12), low: null, high: null });

describe("the calibration of plans", () => {
  it("is the error of the odds of stop and target, by side and method", () => {
    const plans = [
      plan({}),
      plan({ odds: 0.24, stopOdds: 0.64, happened: true, isStopped: false }),
      plan({ side: "SHORT", newest: { stop: 0.75, target: 0.15 } }),
    ];
    const calibrations = planCalibrations(plans, blockOf);
    expect(calibrations.map(({ side, method }) => `${side} ${method}`)).toEqual([
      "LONG 1,251 bars",
      "LONG newest 500 bars",
      "SHORT 1,251 bars",
      "SHORT newest 500 bars",
    ]);
    // 1 of 2 stopped at odds of 0.6 and 0.64, 1 of 2 reached the target at odds of 0.2 and 0.24
    expect(calibrations[0]).toMatchObject({ stop: errorOf(0.12), target: errorOf(0.28) });
    expect(calibrations[1]).toMatchObject({ stop: errorOf(0.1), target: errorOf(0.3) });
    // one plan, stopped
    expect(calibrations[3]).toMatchObject({ stop: errorOf(0.25), target: errorOf(0.15) });
  });

  it("has the odds of targets from 1,251 bars by asset class", () => {
    const own = [plan({ odds: 0.24 }), plan({ side: "SHORT" })];
    expect(planErrors(new Map([["etf", own]]), blockOf)).toEqual([
      { assetClass: "etf", side: "LONG", plans: 1, error: errorOf(0.24) },
      { assetClass: "etf", side: "SHORT", plans: 1, error: errorOf(0.2) },
    ]);
  });
});

describe("the differences between methods", () => {
  it("are the mean and the largest absolute difference of the same plans", () => {
    const [newest] = planDifferences(
      [plan({ newest: { stop: 0.5, target: 0.2 } }), plan({ newest: { stop: 0.64, target: 0.23 } })],
      100,
    );
    expect(newest).toMatchObject({ methods: ["newest 500 bars", "1,251 bars"], plans: 2 });
    // 0.1 and 0.04; 0 and 0.03
    expect(newest!.stop).toMatchObject({ mean: expect.closeTo(0.07, 12), largest: expect.closeTo(0.1, 12) });
    expect(newest!.target).toMatchObject({
      mean: expect.closeTo(0.015, 12),
      largest: expect.closeTo(0.03, 12),
    });
  });

  it("have the mean difference of two binomial shares", () => {
    const [newest] = planDifferences([plan({})], 2_400);
    // variances 0.6 * 0.4 / 2,400 = 0.0001 of each share; the mean absolute value is 0.7979 standard deviations
    expect(newest!.stop.sampling).toBeCloseTo(0.7978845608 * Math.sqrt(2) * 0.01, 8);
  });

  it("do not exist without plans", () => {
    expect(planDifferences([], 100)).toEqual([]);
  });
});
