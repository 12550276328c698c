import { describe, expect, it } from "vitest";
import { type Outcome, outcomeOf } from "../../../src/analytics/backtest/outcome.ts";
import { simulate } from "../../../src/analytics/backtest/simulate.ts";
import { smaCross } from "../../../src/analytics/backtest/strategies/crossings.ts";
import {
  bestOf,
  combinationsOf,
  type Grid,
  type IsValidCombination,
  type Sweep,
  sweep,
  TooManyTrials,
  varianceOf,
} from "../../../src/analytics/backtest/sweep.ts";
import { readDailyBars } from "../../support/daily-bars.ts";
import { describeWithData } from "../../support/test-data.ts";
import { testAccount } from "./tape.ts";

/** Requires fast below slow if both are given; everything else is valid. */
const together: IsValidCombination = ({ fast, slow }) =>
  typeof fast !== "number" || typeof slow !== "number" || fast < slow;
const upTo = (last: number): number[] => Array.from({ length: last }, (_, i) => i + 1);
const outcome = (sharpe: number | null): Outcome => ({
  return_pct: 1,
  max_drawdown: -1,
  sharpe_arithmetic: sharpe,
  trade_count: 1,
});
function finished(run: Generator<unknown, Sweep, void>): Sweep {
  for (;;) {
    const step = run.next();
    if (step.done === true) return step.value;
  }
}

describe("combinations", () => {
  it("are in the given order, with the last parameter changing fastest", () => {
    expect(combinationsOf({ period: [20, 10], side: ["long", "both"] }, together)).toEqual({
      tried: [
        { period: 20, side: "long" },
        { period: 20, side: "both" },
        { period: 10, side: "long" },
        { period: 10, side: "both" },
      ],
      leftOut: 0,
    });
  });

  it("exclude and count pairs whose fast is not below slow", () => {
    expect(combinationsOf({ fast: [5, 10], slow: [5, 10, 20] }, together)).toEqual({
      tried: [
        { fast: 5, slow: 10 },
        { fast: 5, slow: 20 },
        { fast: 10, slow: 20 },
      ],
      leftOut: 3,
    });
    const pairs = combinationsOf({ fast: upTo(50), slow: upTo(50) }, together);
    expect([pairs.tried.length, pairs.leftOut]).toEqual([1225, 1275]);
  });

  it("exclude those that the strategy calls invalid", () => {
    const { tried, leftOut } = combinationsOf({ low: [30, 60], high: [50] }, ({ low, high }) => low! < high!);
    expect([tried, leftOut]).toEqual([[{ low: 30, high: 50 }], 1]);
  });

  it("return one for no parameters and none for a parameter without values", () => {
    expect(combinationsOf({}, together).tried).toEqual([{}]);
    expect(combinationsOf({ period: [], side: ["long"] }, together).tried).toEqual([]);
  });

  it.each([
    [2001, { period: upTo(2001) }, "A sweep tries at most 2000 combinations; 2001 were requested"],
    [
      10_000,
      { fast: upTo(100), slow: upTo(100) },
      "A sweep tries at most 2000 combinations; 10000 were requested, 4950 of them valid",
    ],
    [
      1_000_000,
      { a: upTo(100), b: upTo(100), c: upTo(100) },
      "A sweep tries at most 2000 combinations; 1000000 were requested",
    ],
  ])("are not %s", (requested, grid: Grid, message) => {
    const refused = (): unknown => {
      try {
        return combinationsOf(grid, together);
      } catch (error) {
        return error;
      }
    };
    expect(refused()).toBeInstanceOf(TooManyTrials);
    expect(refused()).toMatchObject({ requested, limit: 2000, message });
  });

  it("are limited to 2000", () => {
    expect(combinationsOf({ period: upTo(2000) }, together).tried).toHaveLength(2000);
  });
});

describe("a sweep", () => {
  it("finds the best by Sharpe ratio, the earlier on ties, and the variance of the trials", () => {
    const ratios = [0.5, 1.5, null, 1.5, -0.5];
    const result = finished(
      sweep({ period: upTo(5) }, ({ period }) => outcome(ratios[Number(period) - 1]!), together),
    );
    expect(result.best).toEqual({ params: { period: 2 }, ...outcome(1.5) });
    // Mean .75; squared deviations .0625, .5625, .5625, 1.5625, over 3.
    expect(result.sharpe_variance).toBeCloseTo(2.75 / 3, 14);
    expect(result.trials.map((trial) => trial.sharpe_arithmetic)).toEqual(ratios);
    expect(result.left_out).toBe(0);
  });

  it("has no best if equity never moved", () => {
    const result = finished(sweep({ period: [1, 2] }, () => outcome(null), together));
    expect([result.best, result.sharpe_variance]).toEqual([null, null]);
    expect([bestOf([]), varianceOf([1])]).toEqual([null, null]);
  });

  it("runs no more trials after the caller stops, and none if there are too many", () => {
    let tried = 0;
    const count = () => {
      tried++;
      return outcome(1);
    };
    for (const _ of sweep({ period: upTo(9) }, count, together)) if (tried === 2) break;
    expect(tried).toBe(2);
    expect(() => sweep({ period: upTo(2001) }, count, together).next()).toThrow(TooManyTrials);
    expect(tried).toBe(2);
  });
});

describeWithData("a sweep of crossing averages over GOOG", ["backtest", "GOOG.csv"], (file) => {
  it("contains the reference run", () => {
    const bars = readDailyBars(file);
    const account = testAccount({ cash: 10_000, commission: 0.002 });
    const { trials, left_out } = finished(
      sweep(
        { fast: [10, 20], slow: [20, 50] },
        ({ fast, slow }) => {
          const decisions = smaCross(bars, { fast: Number(fast), slow: Number(slow), side: "both" });
          return outcomeOf(simulate([{ symbol: "GOOG", bars, decisions }], account), account.cash, 252);
        },
        together,
      ),
    );
    expect([trials.length, left_out]).toEqual([3, 1]);
    // backtesting.py 0.6.6, its run of 10 and 20 bars
    expect(trials[0]).toMatchObject({ params: { fast: 10, slow: 20 }, trade_count: 93 });
    expect(trials[0]!.return_pct).toBeCloseTo(462.6351934, 7);
    expect(trials[0]!.max_drawdown).toBeCloseTo(-33.93159182905461, 9);
  });
});
