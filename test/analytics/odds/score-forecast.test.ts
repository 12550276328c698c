import { describe, expect, it } from "vitest";
import { scoreForecast } from "../../../src/analytics/odds/score-forecast.ts";
import type { ForecastOutcome, OddsForecast } from "../../../src/domain/odds/forecast.ts";

const plan = {
  odds: { stop: 0.5, target: 0.2, neither: 0.3 },
  base: { stop: 0.4, target: 0.4, neither: 0.2 },
};
const five = {
  bars: 5,
  quantiles: [-0.07, -0.05, -0.02, 0, 0.02, 0.05, 0.07],
  baseQuantiles: [-0.14, -0.1, -0.04, 0, 0.04, 0.1, 0.14],
  touch: [0.1, 0.4, 0.5, 0.2],
  baseTouch: [0.3, 0.6, 0.6, 0.3],
} as const;
const forecast: OddsForecast = { version: "odds-1.0.0", horizons: [five, { ...five, bars: 20 }], plan };
const outcome: ForecastOutcome = {
  bars: 5,
  close: 0.03,
  high: 0.04,
  low: -0.01,
  planEnd: null,
  planSide: null,
};
const scoreOf = (over: Partial<ForecastOutcome>, of = forecast) => scoreForecast(of, { ...outcome, ...over });

describe("the score of a forecast", () => {
  it.each([
    [0.02, [true, true, true]],
    [-0.02, [true, true, true]],
    [0.021, [false, true, true]],
    [-0.05, [false, true, true]],
    [0.051, [false, false, true]],
    [0.07, [false, false, true]],
    [-0.071, [false, false, false]],
  ])("counts a close at %d within the ranges that hold it", (close, [fifty, eighty, ninety]) => {
    expect(scoreOf({ close })!.inside).toEqual({ 50: fifty, 80: eighty, 90: ninety });
  });

  it("is the mean pinball loss of the quantiles, doubled, and that of the base", () => {
    // misses of 0.03 less each quantile, by its share below and by the rest above
    const below = 0.05 * 0.1 + 0.1 * 0.08 + 0.25 * 0.05 + 0.5 * 0.03 + 0.75 * 0.01;
    const above = 0.1 * 0.02 + 0.05 * 0.04;
    const base = 0.05 * 0.17 + 0.1 * 0.13 + 0.25 * 0.07 + 0.5 * 0.03 + 0.25 * 0.01 + 0.1 * 0.07 + 0.05 * 0.11;
    const score = scoreOf({})!;
    expect(score.score).toBeCloseTo((2 * (below + above)) / 7, 12);
    expect(score.baseScore).toBeCloseTo((2 * base) / 7, 12);
  });

  it("says which levels at 2 and 5% were touched, a touch to the cent included", () => {
    const touched = (high: number, low: number) =>
      scoreOf({ high: Math.log(high / 100), low: Math.log(low / 100) })!.touches.map((one) => one.touched);
    expect(touched(104.9, 98.1)).toEqual([false, false, true, false]);
    expect(touched(105, 98)).toEqual([false, true, true, true]);
    expect(touched(101.9, 95)).toEqual([true, true, false, false]);
    expect(scoreOf({})!.touches.map(({ odds, base }) => [odds, base])).toEqual([
      [0.1, 0.3],
      [0.4, 0.6],
      [0.5, 0.6],
      [0.2, 0.3],
    ]);
  });

  it("has the side of the levels and the width of the range of 80 %", () => {
    expect(scoreOf({})!.touches.map(({ isAbove }) => isAbove)).toEqual([false, false, true, true]);
    expect(scoreOf({})!.width80).toBeCloseTo(0.1, 12);
  });

  it("has the end of the plan where the outcome has one", () => {
    expect(scoreOf({})!.plan).toBeNull();
    const stopped = { bars: 20, planEnd: "stop", planSide: "SHORT" } as const;
    expect(scoreOf(stopped)!.plan).toEqual({ ...plan, end: "stop", side: "SHORT" });
    expect(scoreOf({ bars: 20, planEnd: "stop" }, { ...forecast, plan: null })!.plan).toBeNull();
  });

  it("lacks a base without own history, and is null at a horizon that was not forecast", () => {
    const alone = { ...forecast, horizons: [{ ...five, baseQuantiles: null, baseTouch: null }] };
    expect(scoreOf({}, alone)!.baseScore).toBeNull();
    expect(scoreOf({}, alone)!.touches.map(({ base }) => base)).toEqual([null, null, null, null]);
    expect(scoreOf({ bars: 60 })).toBeNull();
  });
});
