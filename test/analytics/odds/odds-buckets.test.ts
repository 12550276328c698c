import { describe, expect, it } from "vitest";
import { judgeBuckets, oddsBucketFold } from "../../../src/analytics/odds/odds-buckets.ts";
import type { ForecastScore } from "../../../src/analytics/odds/score-forecast.ts";
import { oddsBucket } from "../../support/track.ts";

const score = (over: Partial<ForecastScore> = {}): ForecastScore => ({
  inside: { 50: true, 80: true, 90: true },
  width80: 0.1,
  score: 0,
  baseScore: null,
  touches: [],
  plan: null,
  ...over,
});
const bucketsOf = (scores: readonly ForecastScore[], subject = { horizon: 20, isCoin: false }) => {
  const fold = oddsBucketFold();
  for (const one of scores) fold.add(one, subject);
  return fold.result(subject.horizon);
};

describe("a bucket of odds", () => {
  it("has the odds and the share of one event, side and volatility", () => {
    const touches = [
      { isAbove: false, odds: 0.4, base: null, touched: true },
      { isAbove: true, odds: 0.2, base: null, touched: false },
      { isAbove: true, odds: 0.6, base: null, touched: true },
    ];
    const plan = {
      odds: { stop: 0.5, target: 0.2, neither: 0.3 },
      base: null,
      end: "stop",
      side: "SHORT",
    } as const;
    const buckets = bucketsOf([
      score({ touches, plan }),
      score({ inside: { 50: false, 80: false, 90: true }, touches }),
    ]);
    // 0.1 / (2 x 1.2816) over 20 sessions is 0.0390, in a year 0.0390 x sqrt(252 / 20) = 13.8 %
    const head = { volatility: "10-20%", n: 2, n_eff: 0.1 };
    const near = (value: number) => expect.closeTo(value, 12);
    expect(buckets).toEqual([
      { event: "in_80_range", side: null, ...head, odds: 0.8, happened: 0.5 },
      { event: "touch", side: "LONG", ...head, odds: near(0.4), happened: 0.5 },
      { event: "touch", side: "SHORT", ...head, odds: near(0.4), happened: 1 },
      { event: "stop_first", side: "SHORT", ...head, n: 1, n_eff: 0.05, odds: 0.5, happened: 1 },
      { event: "target_first", side: "SHORT", ...head, n: 1, n_eff: 0.05, odds: 0.2, happened: 0 },
    ]);
  });

  it("is by volatility a year, of 252 sessions or of 365 days of a coin, calm first", () => {
    const widthOf = (yearly: number, days: number) => 2 * 1.2815515655 * yearly * Math.sqrt(5 / days);
    const namesOf = (yearly: readonly number[], isCoin: boolean) =>
      bucketsOf(
        yearly.map((one) => score({ width80: widthOf(one, isCoin ? 365 : 252) })),
        { horizon: 5, isCoin },
      ).map(({ volatility, n }) => [volatility, n]);
    for (const isCoin of [true, false])
      expect(namesOf([0.601, 0.099, 0.101, 0.199, 0.201, 0.349, 0.351, 0.599], isCoin)).toEqual([
        ["under 10%", 1],
        ["10-20%", 2],
        ["20-35%", 2],
        ["35-60%", 2],
        ["over 60%", 1],
      ]);
  });

  it("of a plan whose side is unknown does not exist", () => {
    const plan = {
      odds: { stop: 0.5, target: 0.2, neither: 0.3 },
      base: null,
      end: "stop",
      side: null,
    } as const;
    expect(bucketsOf([score({ plan })]).map(({ event }) => event)).toEqual(["in_80_range"]);
  });
});

describe("the judgement of buckets", () => {
  it("counts those of 500 forecasts or more within 3 points, and names the others, worst first", () => {
    const [near, edge, off, worse, small] = [
      oddsBucket({ odds: 0.3, happened: 0.31 }),
      oddsBucket({ odds: 0.3, happened: 0.33, n: 500 }),
      oddsBucket({ odds: 0.3, happened: 0.331 }),
      oddsBucket({ odds: 0.3, happened: 0.2 }),
      oddsBucket({ odds: 0.3, happened: 0.9, n: 499 }),
    ];
    expect(judgeBuckets([near!, edge!, off!, worse!, small!])).toEqual({
      measured: 4,
      within: 2,
      outside: [worse, off],
    });
    expect(judgeBuckets([])).toEqual({ measured: 0, within: 0, outside: [] });
  });
});
