import type { BacktestResult } from "../domain/backtest/backtest.ts";
import { Metrics } from "../domain/backtest/metrics.ts";
import type { Unit } from "./report-table.ts";

/** Name and unit of each metric on the page; its explanation is the description of its field. */
const METRICS = {
  final_equity: ["Final equity", "money"],
  equity_peak: ["Highest equity", "money"],
  return_pct: ["Return", "percent"],
  buy_hold_return_pct: ["Buy and hold", "percent"],
  annual_return_pct: ["Annual return", "percent"],
  annual_volatility_pct: ["Annual volatility", "percent"],
  cagr_pct: ["Annual growth (CAGR)", "percent"],
  max_drawdown: ["Deepest drawdown", "percent"],
  avg_drawdown_pct: ["Mean drawdown", "percent"],
  max_drawdown_days: ["Longest drawdown", "days"],
  avg_drawdown_days: ["Mean drawdown length", "days"],
  sharpe_ratio: ["Sharpe ratio", "ratio"],
  sharpe_arithmetic: ["Sharpe, arithmetic", "ratio"],
  sortino_ratio: ["Sortino ratio", "ratio"],
  calmar_ratio: ["Calmar ratio", "ratio"],
  alpha_pct: ["Alpha", "percent"],
  alpha_annual_pct: ["Alpha per year", "percent"],
  beta: ["Beta", "ratio"],
  exposure_pct: ["Exposure", "percent"],
  trade_count: ["Trades", "count"],
  win_rate: ["Win rate", "percent"],
  best_trade_pct: ["Best trade", "percent"],
  worst_trade_pct: ["Worst trade", "percent"],
  avg_trade_pct: ["Mean trade", "percent"],
  expectancy_pct: ["Expectancy", "percent"],
  profit_factor: ["Profit factor", "ratio"],
  sqn: ["System quality", "ratio"],
  kelly: ["Kelly fraction", "ratio"],
  max_trade_days: ["Longest trade", "days"],
  avg_trade_days: ["Mean trade length", "days"],
  commissions: ["Commissions", "money"],
} as const satisfies Record<keyof Metrics, readonly [string, Unit]>;

/** Name and unit of each resampled figure. */
export const INTERVALS = {
  annual_return_pct: ["Annual return", "percent"],
  sharpe_arithmetic: ["Sharpe, arithmetic", "ratio"],
  mean_daily_return_pct: ["Mean daily return", "percent"],
} as const satisfies Record<keyof BacktestResult["intervals"], readonly [string, Unit]>;

/** One figure of a run and its meaning; `reason` says why it is null. */
export interface ReportFigure {
  readonly name: string;
  readonly value: number | null;
  readonly unit: Unit;
  readonly explains: string;
  readonly reason: string | null;
}

/** Returns every figure of a run: its metrics, and the figures that test them against chance. */
export function reportFigures(result: BacktestResult): readonly ReportFigure[] {
  const { metrics, undefined_metrics, deflated_sharpe: chance, null_run: shuffled } = result;
  const reasons = new Map(undefined_metrics.map(({ metric, reason }) => [metric, reason]));
  const names = Object.keys(METRICS) as (keyof Metrics)[];
  return [
    ...names.map((name) => ({
      name: METRICS[name][0],
      value: metrics[name],
      unit: METRICS[name][1],
      explains: Metrics.shape[name].description ?? "",
      reason: reasons.get(name) ?? null,
    })),
    {
      name: "Probabilistic Sharpe",
      value: chance.probabilistic,
      unit: "ratio",
      explains: "Probability that the Sharpe ratio is above 0",
      reason: chance.reason,
    },
    {
      name: "Deflated Sharpe",
      value: chance.deflated,
      unit: "ratio",
      explains: `Probability that the Sharpe ratio exceeds the best expected by chance; combinations tried: ${chance.trials}`,
      reason: chance.reason,
    },
    ...(shuffled === null
      ? []
      : [
          {
            name: "Share of shuffled runs",
            value: shuffled.sharpe_arithmetic?.share ?? null,
            unit: "ratio" as const,
            explains: `Share of ${shuffled.draws} runs on shuffled returns whose Sharpe ratio is at least as high`,
            reason: "there is no Sharpe ratio",
          },
        ]),
  ];
}
