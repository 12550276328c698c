import { expect, it } from "vitest";
import { metricsOf } from "../../../src/analytics/backtest/metrics.ts";
import type { Metrics as Shape } from "../../../src/domain/backtest.ts";
import { describeWithData } from "../../support/test-data.ts";
import { goldenRuns } from "./golden.ts";

/** What the reference calls each figure. `commissions` differs: ours counts those of trades that are still open. */
const NAMES: Readonly<Partial<Record<keyof Shape, string>>> = {
  final_equity: "Equity Final [$]",
  equity_peak: "Equity Peak [$]",
  return_pct: "Return [%]",
  buy_hold_return_pct: "Buy & Hold Return [%]",
  annual_return_pct: "Return (Ann.) [%]",
  annual_volatility_pct: "Volatility (Ann.) [%]",
  cagr_pct: "CAGR [%]",
  max_drawdown: "Max. Drawdown [%]",
  avg_drawdown_pct: "Avg. Drawdown [%]",
  max_drawdown_days: "Max. Drawdown Duration",
  avg_drawdown_days: "Avg. Drawdown Duration",
  sharpe_ratio: "Sharpe Ratio",
  sortino_ratio: "Sortino Ratio",
  calmar_ratio: "Calmar Ratio",
  alpha_pct: "Alpha [%]",
  beta: "Beta",
  exposure_pct: "Exposure Time [%]",
  trade_count: "# Trades",
  win_rate: "Win Rate [%]",
  best_trade_pct: "Best Trade [%]",
  worst_trade_pct: "Worst Trade [%]",
  avg_trade_pct: "Avg. Trade [%]",
  expectancy_pct: "Expectancy [%]",
  profit_factor: "Profit Factor",
  sqn: "SQN",
  kelly: "Kelly Criterion",
  max_trade_days: "Max. Trade Duration",
  avg_trade_days: "Avg. Trade Duration",
};

describeWithData("the figures of backtesting.py 0.6.6", ["backtest"], (directory) => {
  for (const { name, streams, account, ledger, stats } of goldenRuns(directory)) {
    it(`are ours to a billionth: ${name}`, () => {
      const { metrics, undefined_metrics } = metricsOf(ledger, { streams, account, year: 252 });
      expect(undefined_metrics).toEqual([]);
      const off = Object.entries(NAMES).filter(([ours, theirs]) => {
        const [a, b] = [metrics[ours as keyof Shape]!, stats[theirs]!];
        return !(Math.abs(a - b) <= 1e-9 * Math.abs(b));
      });
      expect(off).toEqual([]);
      const closed = ledger.trades.reduce((sum, { commission }) => sum + commission, 0);
      expect(closed).toBeCloseTo(stats["Commissions [$]"]!, 8);
      const open = ledger.open.reduce((sum, { units, entryPrice }) => sum + units * entryPrice, 0);
      expect(metrics.commissions).toBeCloseTo(closed + open * account.commission, 8);
    });
  }
});
