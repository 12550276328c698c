import { z } from "zod";
import { Percent, Ratio, Usd } from "../figures.ts";

const figure = z.number().nullable();
const share = (text: string) => Percent.nullable().describe(`${text}, percent`);

/** Metrics of a run. An undefined metric is null, and `undefined_metrics` gives the reason. */
export const Metrics = z.object({
  final_equity: Usd.describe("Cash and positions at the last close, USD"),
  equity_peak: Usd.describe("Highest equity at a close, USD"),
  return_pct: Percent.describe("Total return in percent of the starting cash"),
  buy_hold_return_pct: share(
    "Return of holding the same symbols from the first close at which the strategy could have bought",
  ),
  annual_return_pct: share("Geometric mean daily return, compounded over a year of trading days"),
  annual_volatility_pct: share("Annualized volatility of daily returns"),
  cagr_pct: share("Compound annual growth rate over calendar time"),
  max_drawdown: Percent.describe("Deepest fall of equity from its peak, marked at closes; percent, negative"),
  avg_drawdown_pct: share("Mean of the deepest points of all drawdowns, negative"),
  max_drawdown_days: figure.describe("Longest time below a peak, days"),
  avg_drawdown_days: Ratio.nullable(),
  sharpe_ratio: Ratio.nullable().describe(
    "Annual return over annual volatility, both geometric, without a risk-free rate",
  ),
  sharpe_arithmetic: Ratio.nullable().describe(
    "Mean over standard deviation of daily returns, times the square root of trading days per year",
  ),
  sortino_ratio: Ratio.nullable(),
  calmar_ratio: Ratio.nullable().describe("Annual return over the deepest drawdown"),
  alpha_pct: share("Return minus beta times the buy-and-hold return, over the whole period"),
  alpha_annual_pct: Percent.nullable()
    .default(null)
    .describe("Compound annual return minus beta times that of the benchmark, percent a year"),
  beta: Ratio.nullable(),
  exposure_pct: Percent.describe("Bars with a position, percent of those after the first"),
  trade_count: z.number().int().describe("Closed trades"),
  win_rate: share("Closed trades with a profit after costs"),
  best_trade_pct: share("Best trade"),
  worst_trade_pct: share("Worst trade"),
  avg_trade_pct: share("Geometric mean of trade returns"),
  expectancy_pct: share("Arithmetic mean of trade returns"),
  profit_factor: Ratio.nullable().describe("Sum of winning over sum of losing trade returns"),
  sqn: Ratio.nullable().describe(
    "System quality number: square root of n times mean over standard deviation of trade profits",
  ),
  kelly: Ratio.nullable().describe(
    "Kelly fraction of the trades: win rate minus loss rate over the payoff ratio",
  ),
  max_trade_days: figure,
  avg_trade_days: Ratio.nullable(),
  commissions: Usd.describe("Paid for closed trades, USD"),
});
export type Metrics = z.infer<typeof Metrics>;
