import { describe, expect, it } from "vitest";
import { correlationOf, horizonResults, planResults } from "./results.ts";
import type { PlanScore, Score } from "./walk.ts";

const DAY = 86_400_000;
const blockOf = (time: number) => Math.floor(time / (60 * DAY));
const odds = (forecast: number, happened: boolean, base = 0.5) => ({ odds: forecast, base, happened });

describe("results of a horizon", () => {
  const scoreAt = (time: number, isInside: boolean): Score => ({
    time,
    horizon: 5,
    kind: "stock",
    volatility: 0.01,
    inside: [false, isInside, true],
    crps: 0.9,
    baseCrps: 1,
    normalCrps: 0.75,
    touches: [{ ...odds(0.4, false, 0.5), isAbove: true }],
    rise: odds(0.5, true, 0.5),
  });
  // 50 forecasts on 25 dates of 1970, 60 on 10 dates of 1971, 49 on 49 dates of 1972, 60 on 9 dates of 1973
  const scores = [
    ...Array.from({ length: 50 }, (_, i) => scoreAt((i >> 1) * DAY, i < 40)),
    ...Array.from({ length: 60 }, (_, i) => scoreAt((400 + (i % 10)) * DAY, i < 30)),
    ...Array.from({ length: 49 }, (_, i) => scoreAt((800 + i) * DAY, false)),
    ...Array.from({ length: 60 }, (_, i) => scoreAt((1_100 + (i % 9)) * DAY, false)),
  ];
  const results = horizonResults(5, scores, blockOf);

  it("have the coverage of all forecasts, and of years with at least 50 on 10 dates, worst first", () => {
    expect(results.forecasts).toBe(219);
    expect(results.cover).toEqual([0, 70 / 219, 1]);
    expect(results.years[1]).toEqual([
      { year: "1971", cover: 0.5, forecasts: 60, dates: 10 },
      { year: "1970", cover: 0.8, forecasts: 50, dates: 25 },
    ]);
  });

  it("have the share of each error that is avoided", () => {
    expect(results.crpsOverBase.value).toBeCloseTo(0.1, 12);
    expect(results.crpsOverNormal.value).toBeCloseTo(-0.2, 12);
    expect(results.brierOverBase.value).toBeCloseTo(1 - 0.16 / 0.25, 12);
    expect(results.riseOverBase.value).toBe(0);
    expect(results.calibrationAbove).toBeCloseTo(0.4, 12);
    expect(results.calibrationBelow).toBeNull();
  });
});

describe("results of plans", () => {
  const plan = (side: PlanScore["side"], forecast: number, happened: boolean, r: number): PlanScore => ({
    ...odds(forecast, happened, 0.5),
    time: 0,
    side,
    stopOdds: 0.5,
    isStopped: r === -1,
    newest: { stop: 0.5, target: forecast },
    expectedR: forecast,
    r,
  });
  const plans = [
    plan("LONG", 0.2, false, -1),
    plan("LONG", 0.4, true, 3),
    plan("SHORT", 0.1, false, -1),
    plan("SHORT", 0.3, false, 0),
  ];

  it("are those of a side, with the skill over its rates", () => {
    const long = planResults("LONG", plans, blockOf);
    expect(long).toMatchObject({ plans: 2, happened: 0.5, r: 1 });
    expect(long.odds).toBeCloseTo(0.3, 12);
    // errors 0.04 and 0.36 against 0.25 and 0.25, by the base rate and by the share alike
    expect(long.brierOverBase.value).toBeCloseTo(1 - 0.4 / 0.5, 12);
    expect(long.brierOverShare.value).toBeCloseTo(1 - 0.4 / 0.5, 12);
    expect(long.correlation).toBeCloseTo(1, 12);
  });

  it("compare each side with its own share where both are together", () => {
    // the shares are 1/2 and 0: errors 0.25 + 0.25 + 0 + 0
    const both = planResults(null, plans, blockOf);
    expect(both.brierOverShare.value).toBeCloseTo(1 - (0.4 + 0.01 + 0.09) / 0.5, 12);
  });

  it("have no correlation without variation", () => {
    expect(correlationOf([1, 2, 3], [2, 2, 2])).toBeNull();
    expect(correlationOf([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1, 12);
    expect(correlationOf([0, 0, 1, 1], [0, 1, 0, 1])).toBe(0);
  });
});
