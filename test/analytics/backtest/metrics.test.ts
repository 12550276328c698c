import { describe, expect, it } from "vitest";
import { metricsOf } from "../../../src/analytics/backtest/metrics.ts";
import { simulate } from "../../../src/analytics/backtest/simulate.ts";
import { FLAT, LONG } from "../../../src/analytics/backtest/types.ts";
import { Metrics } from "../../../src/domain/backtest/metrics.ts";
import { REFERENCE_NAMES } from "../../support/reference-names.ts";
import { describeWithData } from "../../support/test-data.ts";
import { goldenRuns } from "./golden.ts";
import { type Row, streamOf, testAccount } from "./tape.ts";

describeWithData("the metrics of backtesting.py 0.6.6", ["backtest"], (directory) => {
  for (const { name, streams, account, ledger, stats } of goldenRuns(directory)) {
    it(`match ours to within 1e-9: ${name}`, () => {
      const { metrics, undefined_metrics } = metricsOf(ledger, { streams, account, year: 252 });
      expect(undefined_metrics).toEqual([]);
      const off = Object.entries(REFERENCE_NAMES).filter(([ours, theirs]) => {
        const [a, b] = [metrics[ours as keyof Metrics]!, stats[theirs]!];
        return !(Math.abs(a - b) <= 1e-9 * Math.abs(b));
      });
      expect(off).toEqual([]);
    });

    it(`give its exposure for closed trades over all bars: ${name}`, () => {
      const closed = metricsOf({ ...ledger, open: [] }, { streams, account, year: 252 }).metrics;
      const bars = ledger.time.length;
      expect((closed.exposure_pct * (bars - 1)) / bars).toBeCloseTo(stats["Exposure Time [%]"]!, 9);
    });
  }
});

const FOUR: readonly Row[] = [100, 100, 110, 132].map((price, day) => [day, price, price, price, price]);

function figures(rows: readonly Row[], actions: Readonly<Record<number, number>>) {
  const streams = [streamOf("A", rows, actions)];
  const account = testAccount({ sizing: { kind: "units", value: 5 } });
  const { metrics, undefined_metrics } = metricsOf(simulate(streams, account), {
    streams,
    account,
    year: 365,
  });
  const reasons = Object.fromEntries(undefined_metrics.map(({ metric, reason }) => [metric, reason]));
  return { metrics: Metrics.parse(metrics), reasons };
}

describe("undefined metrics", () => {
  it("are null with a reason; all other metrics are defined", () => {
    for (const rows of [FOUR, FOUR.slice(0, 2), FOUR.slice(0, 1), []])
      for (const actions of [{}, { 0: LONG }, { 0: LONG, 2: FLAT }]) {
        const { metrics, reasons } = figures(rows, actions);
        const missing = Object.entries(metrics).filter(([, value]) => value === null);
        expect(missing.map(([metric]) => metric).toSorted()).toEqual(Object.keys(reasons).toSorted());
      }
  });

  it("have a reason if there are no trades", () => {
    const { metrics, reasons } = figures(FOUR, {});
    expect(metrics).toMatchObject({
      trade_count: 0,
      exposure_pct: 0,
      return_pct: 0,
      beta: 0,
      win_rate: null,
    });
    expect(metrics).toMatchObject({ annual_volatility_pct: 0, max_drawdown: 0 });
    expect(metrics.buy_hold_return_pct).toBeCloseTo(32, 12);
    expect(reasons).toMatchObject({
      win_rate: "no trades",
      profit_factor: "no trades",
      sqn: "no trades",
      max_trade_days: "no trades",
      sharpe_ratio: "no variance",
      sharpe_arithmetic: "no variance",
      sortino_ratio: "no losing day",
      calmar_ratio: "no drawdown",
      max_drawdown_days: "no drawdown",
    });
  });

  it("have an exposure of 100 % for a position held throughout, and count an open one", () => {
    const hold = { 0: LONG, 1: LONG, 2: LONG, 3: LONG };
    expect(figures(FOUR, hold).metrics).toMatchObject({ trade_count: 0, exposure_pct: 100 });
    // bought at the open of the third of four bars, of which three can hold a position
    expect(figures(FOUR, { 1: LONG }).metrics.exposure_pct).toBe(66.67);
    expect(figures(FOUR.slice(0, 1), hold).metrics.exposure_pct).toBe(0);
  });

  it("include the gain-to-loss ratios if no trade lost", () => {
    // 5 bought at 100 and sold at 132
    const { metrics, reasons } = figures(FOUR, { 0: LONG, 2: FLAT });
    expect(metrics).toMatchObject({
      final_equity: 1160,
      win_rate: 100,
      avg_trade_days: 2,
      exposure_pct: 100,
    });
    expect(metrics.best_trade_pct).toBeCloseTo(32, 12);
    expect(reasons).toMatchObject({
      profit_factor: "no losing trade",
      kelly: "no losing trade",
      sqn: "fewer than two trades",
    });
  });

  it("include the metrics over time if there is only one bar", () => {
    const { metrics, reasons } = figures(FOUR.slice(0, 1), { 0: LONG });
    expect(metrics).toMatchObject({ final_equity: 1000, equity_peak: 1000, buy_hold_return_pct: 0 });
    expect(reasons).toMatchObject({
      annual_return_pct: "fewer than two days",
      sharpe_arithmetic: "fewer than three days",
      cagr_pct: "under a day",
      beta: "fewer than three bars",
      alpha_pct: "fewer than three bars",
    });
  });
});

it("computes buy and hold of two symbols with half the cash in each", () => {
  const flat: readonly Row[] = FOUR.map(([day]) => [day, 50, 50, 50, 50]);
  const streams = [streamOf("A", FOUR, {}), streamOf("B", flat, {})];
  const { metrics } = metricsOf(simulate(streams, testAccount()), {
    streams,
    account: testAccount(),
    year: 252,
  });
  expect(metrics.buy_hold_return_pct).toBeCloseTo(16, 12);
});
