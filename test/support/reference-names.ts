import type { Metrics } from "../../src/domain/backtest/metrics.ts";

/** Names of the figures in backtesting.py 0.6.6, which has no arithmetic Sharpe ratio. */
export const REFERENCE_NAMES: Readonly<
  Record<Exclude<keyof Metrics, "sharpe_arithmetic" | "exposure_pct" | "alpha_annual_pct">, string>
> = {
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
  commissions: "Commissions [$]",
};
