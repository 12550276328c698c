import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../../src/analytics/backtest/outcome.ts";
import { simulate } from "../../../src/analytics/backtest/simulate.ts";
import { smaCross } from "../../../src/analytics/backtest/strategies/crossings.ts";
import type { Ledger } from "../../../src/analytics/backtest/types.ts";
import {
  type WalkForward,
  type WalkForwardOptions,
  type Window,
  walkForward,
} from "../../../src/analytics/backtest/walk-forward.ts";
import { mean } from "../../../src/analytics/statistics.ts";
import { type Bars, sliceBars, TIMEFRAME_MS } from "../../../src/domain/market/bars.ts";
import { readDailyBars } from "../../support/daily-bars.ts";
import { describeWithData } from "../../support/test-data.ts";
import { ledgerOver, testAccount } from "./tape.ts";

const DAY = TIMEFRAME_MS["1d"];
const START = Date.UTC(2020, 0, 1);
const days = (count: number) => Float64Array.from({ length: count }, (_, day) => START + day * DAY);
const dayOf = (time: number) => (time - START) / DAY;

function finished(run: Generator<unknown, WalkForward, void>): { steps: unknown[]; result: WalkForward } {
  const steps: unknown[] = [];
  for (;;) {
    const step = run.next();
    if (step.done === true) return { steps, result: step.value };
    steps.push(step.value);
  }
}

/** Daily return of each rule: `early` gains on the first 150 days, `late` afterwards, each with some variation. */
const earned = (rule: unknown, day: number): number =>
  (rule === (day < 150 ? "early" : "late") ? 0.002 : -0.001) + (day % 2 === 0 ? 0.004 : -0.004);

function options(change: Partial<WalkForwardOptions> = {}): WalkForwardOptions & { windows: Window[] } {
  const windows: Window[] = [];
  const time = days(400);
  return {
    time,
    grid: { rule: ["early", "late"] },
    cash: 1000,
    year: 252,
    folds: 3,
    horizon: () => 6,
    isValid: () => true,
    evaluate: ({ rule }, window) => {
      windows.push(window);
      const traded = [...time].filter((at) => at >= window.from && at < window.to).map(dayOf);
      let worth = 1000;
      const equity = traded.map((day, i) => {
        worth *= i === 0 ? 1 : 1 + earned(rule, day);
        return worth;
      });
      return ledgerOver(equity, window.from);
    },
    windows,
    ...change,
  };
}

describe("a walk forward", () => {
  it("tests every part but the first, after a gap of the horizon plus one percent of the bars", () => {
    const { result } = finished(walkForward(options()));
    expect([result.purge, result.embargo]).toEqual([6, 4]);
    expect(result.folds.map((fold) => [fold.in_sample_to, fold.from, fold.to].map(dayOf))).toEqual([
      [89, 100, 199],
      [189, 200, 299],
      [289, 300, 399],
    ]);
  });

  it("chooses by past data only, and so lags when the market turns", () => {
    const { folds } = finished(walkForward(options())).result;
    // Up to day 189 there were 150 early days and 40 late ones; up to day 289, 150 and 140.
    expect(folds.map((fold) => fold.params)).toEqual([
      { rule: "early" },
      { rule: "early" },
      { rule: "early" },
    ]);
    const blind = options();
    const turned = options({
      // A different market from day 90 on, which the first fold has not seen when it chooses.
      evaluate: (params, window) => {
        const ledger = blind.evaluate(params, window);
        const equity = ledger.equity.map((value, i) =>
          dayOf(ledger.time[i]!) < 90 ? value : params.rule === "late" ? 5 * value : value / 5,
        );
        return { ...ledger, equity };
      },
    });
    const other = finished(walkForward(turned)).result.folds;
    expect(other[0]!.params).toEqual({ rule: "early" });
    expect(other[0]!.in_sample_sharpe).toBe(folds[0]!.in_sample_sharpe);
    expect(other[1]!.params).toEqual({ rule: "late" });
  });

  it("does not evaluate bars after the training window before the tests", () => {
    const made = options();
    finished(walkForward(made));
    expect(made.windows.map(({ from, to }) => [dayOf(from), dayOf(to)])).toEqual([
      [0, 290],
      [0, 290],
      [100, 200],
      [200, 300],
      [300, Number.POSITIVE_INFINITY],
    ]);
  });

  it("chains the tests, each starting from the previous one's equity, and compares them with in-sample", () => {
    const { folds, out_of_sample, ratio, reason } = finished(walkForward(options())).result;
    const growth = folds.reduce((product, fold) => product * (1 + fold.out_of_sample!.return_pct / 100), 1);
    expect(out_of_sample!.return_pct).toBeCloseTo(100 * (growth - 1), 10);
    // `early` gains on days 100 to 149 and loses from then on to day 399.
    expect(folds[0]!.out_of_sample!.return_pct).toBeCloseTo(
      100 *
        (Array.from({ length: 99 }, (_, i) => 1 + earned("early", 101 + i)).reduce((a, b) => a * b, 1) - 1),
      10,
    );
    expect(folds[2]!.out_of_sample!.return_pct).toBeLessThan(0);
    const inSample = mean(folds.map((fold) => fold.in_sample_sharpe!));
    expect(ratio).toBeCloseTo(out_of_sample!.sharpe_arithmetic! / inSample, 12);
    expect(reason).toBeNull();
  });

  it("reports progress after every run", () => {
    const { steps } = finished(walkForward(options()));
    expect(steps).toEqual([1, 2, 3, 4, 5].map((done) => ({ done, of: 5 })));
  });

  it("leaves a gap of the longest horizon among valid combinations", () => {
    const { result } = finished(
      walkForward(
        options({
          grid: { fast: [5, 40], slow: [4, 20, 30] },
          horizon: ({ fast, slow }) => Math.max(Number(fast), Number(slow)),
          isValid: ({ fast, slow }) => fast! < slow!,
        }),
      ),
    );
    expect(result.purge).toBe(30);
  });

  it("does not trade if no combination moved equity", () => {
    const still = options({
      evaluate: (_, { from }) => ledgerOver(new Array<number>(300).fill(1000), from),
    });
    const { result } = finished(walkForward(still));
    expect(result).toMatchObject({
      out_of_sample: null,
      ratio: null,
      reason: "Equity did not move in-sample with any combination",
    });
    expect(result.folds[0]).toMatchObject({ params: null, in_sample_sharpe: null, out_of_sample: null });
  });

  it("gives a reason if there are too few bars", () => {
    const { steps, result } = finished(walkForward(options({ folds: 5 })));
    expect(steps).toEqual([]);
    expect(result).toMatchObject({
      folds: [],
      out_of_sample: null,
      reason:
        "400 bars are too few for 5 folds: each needs at least 60 in-sample bars, a gap of 10 and at least 20 out-of-sample bars",
    });
  });

  it("requires at least two folds", () => {
    expect(() => walkForward(options({ folds: 1 })).next()).toThrow(
      "folds must be an integer of at least 2, not 1",
    );
  });
});

describeWithData("a walk forward over GOOG", ["backtest", "GOOG.csv"], (file) => {
  const bars = readDailyBars(file);
  const account = testAccount({ cash: 10_000, commission: 0.001 });
  const cross = (own: Bars, fast: unknown, slow: unknown, from: number): Ledger => {
    const decisions = smaCross(own, { fast: Number(fast), slow: Number(slow), side: "both" });
    return simulate([{ symbol: "GOOG", bars: own, decisions }], { ...account, from });
  };
  const before = (to: number) =>
    sliceBars(
      bars,
      0,
      [...bars.time, to].findIndex((time) => time >= to),
    );

  it("matches direct runs: in-sample ratio of one ending there, test of one beginning there", () => {
    const { folds } = finished(
      walkForward({
        time: bars.time,
        grid: { fast: [10, 20, 50], slow: [50, 100] },
        cash: account.cash,
        year: 252,
        folds: 4,
        horizon: ({ slow }) => Number(slow),
        isValid: ({ fast, slow }) => fast! < slow!,
        evaluate: ({ fast, slow }, { from, to }) => cross(before(to), fast, slow, from),
      }),
    ).result;
    for (const { params, in_sample_to, in_sample_sharpe, from, to, out_of_sample } of folds) {
      const { fast, slow } = params!;
      const chosen = outcomeOf(cross(before(in_sample_to + 1), fast, slow, 0), account.cash, 252);
      expect(in_sample_sharpe).toBeCloseTo(chosen.sharpe_arithmetic!, 12);
      const tested = outcomeOf(cross(before(to + 1), fast, slow, from), account.cash, 252);
      expect({ ...out_of_sample, max_drawdown: tested.max_drawdown }).toEqual(tested);
    }
  });
});
