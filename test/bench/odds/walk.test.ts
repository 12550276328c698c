import { describe, expect, it } from "vitest";
import { atr } from "../../../src/analytics/indicators/atr.ts";
import type { Levels } from "../../../src/analytics/levels/levels.ts";
import { PATHS as DEFAULT_PATHS, oddsOf } from "../../../src/analytics/odds/odds.ts";
import { wholePercents } from "../../../src/analytics/odds/percents.ts";
import { QUANTILES } from "../../../src/analytics/odds/quantiles.ts";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import { rowOdds } from "../../../src/features/signal/signal-odds.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";
import { atrPlan, planOutcome } from "./plan.ts";
import { HORIZONS, LEVELS, walkFile } from "./walk.ts";

const PATHS = 60;
const bars = syntheticBars(7, 620);
const file = { symbol: "ABC", assetClass: "equity", isFund: false, bars, notes: [] } as const;
const scores = walkFile(file, PATHS);
const indexOf = (time: number) => bars.time.indexOf(time);

describe("a walk through a file", () => {
  it("forecasts at every fifth bar from index 500 with an outcome", () => {
    for (const [name, last] of [
      [5, 610],
      [20, 595],
      [60, 555],
    ]) {
      const expected: number[] = [];
      for (let bar = 500; bar <= last!; bar += 5) expected.push(bar);
      for (const own of [scores.paths, scores.newest, scores.closedForm, scores.positions])
        expect(own.filter(({ horizon }) => horizon === name).map(({ time }) => indexOf(time))).toEqual(
          expected,
        );
    }
    expect(scores.plans.map(({ time, side }) => `${side} ${indexOf(time)}`).slice(0, 3)).toEqual([
      "LONG 500",
      "SHORT 500",
      "LONG 505",
    ]);
  });

  it("scores the odds that the product returns at the bar", () => {
    for (const at of [500, 530, 555]) {
      const close = bars.close[at]!;
      const levels = HORIZONS.flatMap((horizon) =>
        [1, -1].flatMap((side) => LEVELS[horizon].map((level) => close * (1 + side * level))),
      );
      const { odds } = oddsOf({
        bars: sliceBars(bars, 0, at + 1),
        symbol: "ABC",
        assetClass: "equity",
        horizons: HORIZONS,
        levels,
        paths: PATHS,
      });
      for (const [i, horizon] of HORIZONS.entries()) {
        const score = scores.paths.find((each) => each.horizon === horizon && indexOf(each.time) === at)!;
        const after = bars.close[at + horizon]!;
        const quantile = (share: number) => odds!.horizons[i]!.quantiles[QUANTILES.indexOf(share as never)]!;
        const inside = [
          [0.25, 0.75],
          [0.1, 0.9],
          [0.05, 0.95],
        ].map(([low, high]) => after >= quantile(low!) && after <= quantile(high!));
        expect(score.inside).toEqual(inside);
        const touch = odds!.levels.slice(8 * i, 8 * i + 8).map((level) => level.touch[i]!);
        expect(score.touches.map((each) => each.odds)).toEqual(touch.map((each) => each.odds));
        // fewer than 1,251 bars: the base of the product is that of the whole file so far
        for (const [k, each] of score.touches.entries()) expect(each.base).toBeCloseTo(touch[k]!.base!, 12);
        const highest = Math.max(...bars.high.subarray(at + 1, at + 1 + horizon));
        expect(score.touches.slice(0, 4).map(({ happened }) => happened)).toEqual(
          LEVELS[horizon].map((level) => highest >= close * (1 + level)),
        );
      }
    }
  });

  it("scores the plans that the product returns at the bar", () => {
    const plan = scores.plans.find(({ side, time }) => side === "SHORT" && indexOf(time) === 530)!;
    const { high, low, close } = bars;
    let range = 0;
    for (let i = 1; i <= 530; i++) {
      const trueRange = Math.max(high[i]!, close[i - 1]!) - Math.min(low[i]!, close[i - 1]!);
      range += (trueRange - range) / Math.min(i, 14);
    }
    const [stop, target] = [close[530]! + 1.5 * range, close[530]! - 4.25 * range];
    const planOf = (from: number) =>
      oddsOf({
        bars: sliceBars(bars, from, 531),
        symbol: "ABC",
        assetClass: "equity",
        horizons: [20],
        paths: PATHS,
        plan: { side: "SHORT", stop, target, bars: 20 },
      }).odds!.plan!;
    const { odds, expectedR } = planOf(0);
    expect([plan.stopOdds, plan.odds]).toEqual([odds.stop, odds.target]);
    expect(plan.expectedR).toBeCloseTo(expectedR, 12);
    expect(plan.newest).toEqual({ stop: planOf(31).odds.stop, target: planOf(31).odds.target });
    const end = planOutcome(bars, 530, { side: "SHORT", stop, target }, 20).end;
    expect([plan.isStopped, plan.happened]).toEqual([end === "stop", end === "target"]);
  });

  it("scores the plans of a signal and of a row of a nightly run, to whole percents", () => {
    const short = walkFile({ ...file, bars: sliceBars(bars, 0, 521) }, DEFAULT_PATHS);
    expect(short.plans).toHaveLength(2);
    for (const { side, odds, stopOdds } of short.plans) {
      const { stop, target } = atrPlan(
        bars.close[500]!,
        atr(bars.high, bars.low, bars.close, 14)[500]!,
        side,
      )!;
      const levels = { side, stop, targets: [target] } as unknown as Levels;
      const row = rowOdds({ bars: sliceBars(bars, 0, 501), symbol: "ABC", assetClass: "equity", levels })!;
      expect([row.stop_first, row.target_first, row.neither]).toEqual(
        wholePercents([stopOdds, odds, 1 - stopOdds - odds]),
      );
    }
  });

  it("uses no bar after the outcome: a shorter file has the same scores", () => {
    const cut = walkFile({ ...file, bars: sliceBars(bars, 0, 560) }, PATHS);
    const known = (time: number, horizon: number) => indexOf(time) + horizon < 560;
    for (const name of ["paths", "newest", "closedForm"] as const)
      expect(cut[name]).toEqual(scores[name].filter(({ time, horizon }) => known(time, horizon)));
    expect(cut.positions).toEqual(scores.positions.filter(({ time, horizon }) => known(time, horizon)));
    expect(cut.returns).toEqual(scores.returns.filter(({ time }) => indexOf(time) < 560));
    expect(cut.plans).toEqual(scores.plans.filter(({ time }) => known(time, 20)));
  });

  it("makes no forecast in closed form for coins, and assumes no drift", () => {
    const coin = walkFile({ ...file, assetClass: "crypto" }, PATHS);
    expect(coin.closedForm).toEqual([]);
    const meanR = (plans: typeof coin.plans) => plans.reduce((sum, plan) => sum + plan.expectedR, 0);
    const long = (each: typeof coin) => each.plans.filter(({ side }) => side === "LONG");
    expect(meanR(long(coin))).toBeLessThan(meanR(long(scores)));
  });
});
