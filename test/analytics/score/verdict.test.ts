import { describe, expect, it, vi } from "vitest";
import { computeVerdict } from "../../../src/analytics/score/verdict.ts";
import { driverValues, planOf, unanimous } from "../../support/driver-values.ts";

const at = (s: number, reward = 2, bars = 500) => computeVerdict(unanimous(s), bars, planOf(reward));
const of = (count: number, value: number) => new Array(count).fill(value);

describe("computeVerdict", () => {
  it.each([
    { s: 0.25, direction: "LONG", tier: "WATCH" },
    { s: 0.5, direction: "LONG", tier: "WATCH" },
    { s: 0.75, direction: "LONG", tier: "HOT" },
    { s: 0.125, direction: "WAIT", tier: "NEUTRAL" },
    { s: 0, direction: "WAIT", tier: "NEUTRAL" },
    { s: -0.125, direction: "WAIT", tier: "NEUTRAL" },
    { s: -0.25, direction: "SHORT", tier: "WATCH" },
    { s: -0.75, direction: "SHORT", tier: "HOT" },
  ])("reads $s as $direction, $tier", ({ s, direction, tier }) => {
    expect(at(s)).toMatchObject({ s, score: 50 + 50 * s, direction, tier });
  });

  it("is hot from .55 on", () => {
    const one = (trend: number) =>
      computeVerdict(
        driverValues({
          trend: of(4, trend),
          dark_pool: [0],
          options: [0],
          news: [0],
          markets: [0],
          momentum: of(3, trend),
          volume: of(3, trend),
        }),
        500,
        planOf(2),
      );
    expect([one(0.55).s, one(0.55).tier]).toEqual([0.55, "HOT"]);
    expect(one(0.5499).tier).toBe("WATCH");
  });

  it("takes a side only at a reward-to-risk ratio of 1.5 or more", () => {
    expect(at(0.5, 1.5).direction).toBe("LONG");
    expect(at(-0.5, 1.5).direction).toBe("SHORT");
    expect(at(0.5, 1.49)).toMatchObject({
      direction: "WAIT",
      reason: "Reward to risk 1.49 is under 1.5",
      tier: "NEUTRAL",
    });
    expect(at(0.5, 1.2)).toMatchObject({ grade: "B+", reason: "Reward to risk 1.20 is under 1.5" });
  });

  it("waits, with a reason, if there is no plan", () => {
    expect(computeVerdict(unanimous(0.5), 500, () => ({ levels: null, reason: "no range" }))).toMatchObject({
      direction: "WAIT",
      reason: "no range",
      score: 75,
    });
  });

  it("plans for the sign of s: LONG at 0 and without a score", () => {
    const planned = (s: number, bars = 500) => {
      const plan = vi.fn(planOf(2));
      computeVerdict(unanimous(s), bars, plan);
      return plan.mock.calls.flat();
    };
    expect([planned(0.1), planned(0), planned(-0.1), planned(-0.9, 251)]).toEqual([
      ["LONG"],
      ["LONG"],
      ["SHORT"],
      ["LONG"],
    ]);
  });

  it("has no score below 252 bars", () => {
    expect(at(0.5, 2, 251)).toMatchObject({
      s: null,
      score: null,
      grade: null,
      direction: "WAIT",
      reason: "A score needs 252 bars, there are 251",
      tier: "NEUTRAL",
      agreement: 0,
    });
    expect(at(0.5, 2, 252).score).toBe(75);
  });

  it("has no score below 60% coverage; trend, volume, strength and volatility just suffice", () => {
    const withoutMomentum = {
      trend: of(7, 0.5),
      volume: of(5, 0.5),
      relative_strength: of(3, 0.5),
      volatility: of(3, 0.5),
    };
    expect(computeVerdict(driverValues(withoutMomentum), 500, planOf(2))).toMatchObject({
      coverage: 0.6,
      score: 75,
    });
    const { volatility: _, ...less } = withoutMomentum;
    expect(computeVerdict(driverValues(less), 500, planOf(2))).toMatchObject({
      coverage: 0.55,
      score: null,
      reason: "A score needs drivers for 60% of the weight, there are 55%",
    });
  });

  it("has an agreement of coverage x |s|, at most half", () => {
    expect(at(0.25).agreement).toBe(0.2);
    expect(at(-0.25).agreement).toBe(0.2);
    expect(at(1).agreement).toBe(0.5);
  });

  it("clips s if the tilt raises it above 1", () => {
    const all = {
      trend: of(7, 1),
      momentum: of(5, 1),
      volume: of(5, 1),
      relative_strength: of(3, 1),
      news: [1],
    };
    expect(computeVerdict(driverValues(all), 500, planOf(2))).toMatchObject({
      s: 1,
      score: 100,
      grade: "A+",
      sum: 1.04,
    });
  });
});
