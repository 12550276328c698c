import type { BacktestResult, PartRow } from "../domain/backtest/backtest.ts";
import { Metrics } from "../domain/backtest/metrics.ts";
import { SAMPLE_LABEL } from "../domain/market/market.ts";
import { equityChartOf } from "./backtest-chart.ts";
import type { BacktestReport, ReportFigure, ReportSlice } from "./backtest-report.ts";
import type { Unit } from "./report-table.ts";

/** How each figure is named and counted on the page; its explanation is that of its field. */
const FIGURES = {
  final_equity: ["Final equity", "money"],
  equity_peak: ["Highest equity", "money"],
  return_pct: ["Return", "percent"],
  buy_hold_return_pct: ["Buy and hold", "percent"],
  annual_return_pct: ["Annual return", "percent"],
  annual_volatility_pct: ["Annual volatility", "percent"],
  cagr_pct: ["Growth a year", "percent"],
  max_drawdown: ["Deepest drawdown", "percent"],
  avg_drawdown_pct: ["Mean drawdown", "percent"],
  max_drawdown_days: ["Longest drawdown", "days"],
  avg_drawdown_days: ["Mean drawdown lasts", "days"],
  sharpe_ratio: ["Sharpe ratio", "ratio"],
  sharpe_arithmetic: ["Sharpe, arithmetic", "ratio"],
  sortino_ratio: ["Sortino ratio", "ratio"],
  calmar_ratio: ["Calmar ratio", "ratio"],
  alpha_pct: ["Alpha", "percent"],
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
  avg_trade_days: ["Mean trade lasts", "days"],
  commissions: ["Commissions", "money"],
} as const satisfies Record<keyof Metrics, readonly [string, Unit]>;

const INTERVALS = {
  annual_return_pct: ["Annual return", "percent"],
  sharpe_arithmetic: ["Sharpe, arithmetic", "ratio"],
  mean_daily_return_pct: ["Mean daily return", "percent"],
} as const satisfies Record<keyof BacktestResult["intervals"], readonly [string, Unit]>;

/** The report of a stored run; `explains` is what its strategy does, in a sentence. */
export function reportOf(result: BacktestResult, explains: string): BacktestReport {
  const { account, rules, equity } = result;
  const none = "the run is too short";
  const slices = (parts: readonly Part[], reason = none) => ({
    rows: parts.map(slice),
    reason: parts.length === 0 ? reason : null,
  });
  return {
    symbols: result.symbols,
    timeframe: result.timeframe,
    strategy: result.strategy,
    explains,
    params: Object.entries(result.params).map(([name, value]) => ({ name, value })),
    rules: rules === null ? null : JSON.stringify(rules, null, 1),
    terms: [
      { name: "Cash", value: `${account.cash} USD` },
      { name: "Commission", value: `${account.commission} of turnover at each side` },
      { name: "Slippage", value: `${account.slippage} of the price of an entry` },
      { name: "Sizing", value: [account.sizing.kind, account.sizing.value ?? ""].join(" ").trim() },
      { name: "Units", value: account.fractional ? "parts too" : "whole" },
      { name: "At the end", value: account.finalize ? "everything is closed" : "open positions stay open" },
      { name: "Look-ahead", value: result.look_ahead.detail },
      { name: "Run", value: result.id },
      { name: "Model", value: result.model_version },
      { name: "Inputs", value: result.inputs_hash },
    ],
    from: atMoment(result.from),
    until: atMoment(result.to),
    madeAt: result.created_at,
    source: result.source,
    market: result.market,
    simulated: result.market === "sample" ? SAMPLE_LABEL : null,
    equityChart: equityChartOf(result),
    warnings: [...result.warnings, ...result.notes],
    metrics: metricsOf(result),
    months: {
      rows: result.months.map(({ month, return_pct }) => ({
        year: Number(month.slice(0, 4)),
        month: Number(month.slice(5, 7)),
        percent: return_pct,
      })),
      reason: equity.length === 0 ? none : null,
    },
    years: slices(result.years),
    costs: slices(result.costs),
    halves: slices(result.halves),
    intervals: {
      rows: Object.entries(INTERVALS).map(([name, [title, unit]]) => {
        const { low, high, reason } = result.intervals[name as keyof typeof INTERVALS];
        return {
          name: title,
          low,
          high,
          unit,
          level: 95,
          method: "1,000 resamples by blocks of days",
          reason,
        };
      }),
      reason: null,
    },
    sweep: slices(
      (result.sweep?.best ?? []).map(({ params, ...outcome }) => ({
        ...outcome,
        part: settings(params),
        buy_hold_return_pct: null,
      })),
      "no sweep was requested",
    ),
    folds: slices(
      (result.sweep?.walk_forward?.folds ?? []).flatMap(({ from, to, params, out_of_sample }) =>
        out_of_sample === null
          ? []
          : [
              {
                ...out_of_sample,
                max_drawdown: null,
                buy_hold_return_pct: null,
                part: `${from} to ${to}: ${params === null ? "nothing" : settings(params)}`,
              },
            ],
      ),
      "no folds were requested",
    ),
    trades: result.trades.map((trade) => ({
      symbol: trade.symbol,
      side: trade.side,
      units: trade.units,
      reason: trade.exit_reason,
      entryTime: Date.parse(trade.entry_time),
      exitTime: Date.parse(trade.exit_time),
      entryPrice: trade.entry_price,
      exitPrice: trade.exit_price,
      profit: trade.profit,
      return: trade.return_pct / 100,
    })),
  };
}

function metricsOf(result: BacktestResult): readonly ReportFigure[] {
  const { metrics, undefined_metrics, deflated_sharpe: chance, null_run: shuffled } = result;
  const reasons = new Map(undefined_metrics.map(({ metric, reason }) => [metric, reason]));
  const figures = Object.entries(FIGURES).map(
    ([name, [title, unit]]): ReportFigure => ({
      name: title,
      unit,
      value: metrics[name as keyof Metrics],
      explains: Metrics.shape[name as keyof Metrics].description ?? "",
      reason: reasons.get(name) ?? null,
    }),
  );
  const of = (name: string, value: number | null, explains: string, reason: string | null): ReportFigure => ({
    name,
    value,
    explains,
    reason,
    unit: "ratio",
  });
  return [
    ...figures,
    of(
      "Probabilistic Sharpe",
      chance.probabilistic,
      "Probability that the Sharpe ratio is above 0",
      chance.reason,
    ),
    of(
      "Deflated Sharpe",
      chance.deflated,
      `Probability that it is above the best of ${chance.trials} by chance`,
      chance.reason,
    ),
    ...(shuffled === null
      ? []
      : [
          of(
            "Share of shuffled runs",
            shuffled.sharpe_arithmetic?.share ?? null,
            `Of ${shuffled.draws} runs on shuffled returns, those with as high a Sharpe ratio`,
            "there is no Sharpe ratio",
          ),
        ]),
  ];
}

/** Part of a run, or another run for comparison; an unmeasured drawdown is null. */
type Part = Omit<PartRow, "max_drawdown"> & { readonly max_drawdown: number | null };

const settings = (params: Readonly<Record<string, number | string>>): string =>
  Object.entries(params)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");

const slice = ({ part, ...row }: Part): ReportSlice => ({
  name: part,
  return_pct: row.return_pct,
  buy_hold_return_pct: row.buy_hold_return_pct,
  sharpe_ratio: row.sharpe_arithmetic,
  max_drawdown: row.max_drawdown,
  trade_count: row.trade_count,
  reason: null,
});

/** A bar's label as a moment. */
const atMoment = (label: string): string => new Date(Date.parse(label)).toISOString();
