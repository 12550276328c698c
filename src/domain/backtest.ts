import { z } from "zod";

/** Strategies that need nothing but bars, those that read the signal as it was, and rules of one's own. */
export const STRATEGIES = [
  "sma_cross",
  "ema_cross",
  "macd",
  "rsi_reversion",
  "bollinger_reversion",
  "donchian_breakout",
  "supertrend",
  "buy_hold",
  "signal",
  "momentum",
  "rules",
] as const;
export const StrategyName = z.enum(STRATEGIES);
export type StrategyName = z.infer<typeof StrategyName>;

/** Why a position was closed: decided, its protection was hit, or the data ended. */
export const ExitReason = z.enum(["decision", "stop", "target", "end"]);
export type ExitReason = z.infer<typeof ExitReason>;

export const SizingKind = z.enum(["all_in", "units", "percent", "volatility", "kelly"]);
export type SizingKind = z.infer<typeof SizingKind>;

/** How much an entry buys. */
export interface Sizing {
  readonly kind: SizingKind;
  /**
   * units: units of the instrument; percent: of equity; volatility: percent of equity at risk over 2 ATR14; kelly: the
   * fraction of the Kelly stake, .25 for a quarter. null for all_in.
   */
  readonly value: number | null;
}

const figure = z.number().nullable();
const share = (text: string) => figure.describe(`${text}, percent`);

/** What a run came to. A figure that is not defined is null, and `undefined_metrics` says why. */
export const Metrics = z.object({
  final_equity: z.number().describe("Cash and positions at the last close, USD"),
  equity_peak: z.number(),
  return_pct: z.number().describe("Of the cash begun with, percent"),
  buy_hold_return_pct: share("Holding the same symbols from the first bar that was traded"),
  annual_return_pct: share("Geometric mean daily return over a year of trading days"),
  annual_volatility_pct: share("Of daily returns over a year"),
  cagr_pct: share("Growth a year by the calendar"),
  max_drawdown: z
    .number()
    .describe("Deepest fall of equity from its peak, marked at closes; percent, negative"),
  avg_drawdown_pct: share("Mean of the deepest points of all drawdowns, negative"),
  max_drawdown_days: figure.describe("Longest time under a peak, days"),
  avg_drawdown_days: figure,
  sharpe_ratio: figure.describe("Annual return over annual volatility, both geometric, no riskless rate"),
  sharpe_arithmetic: figure.describe(
    "Mean over standard deviation of daily returns, times the root of the days a year",
  ),
  sortino_ratio: figure,
  calmar_ratio: figure.describe("Annual return over the deepest drawdown"),
  alpha_pct: share("Return less beta times that of buying and holding"),
  beta: figure,
  exposure_pct: z.number().describe("Bars with a position, percent"),
  trade_count: z.number().int().describe("Closed trades"),
  win_rate: share("Closed trades with a profit after costs"),
  best_trade_pct: share("Best trade"),
  worst_trade_pct: share("Worst trade"),
  avg_trade_pct: share("Geometric mean of trade returns"),
  expectancy_pct: share("Arithmetic mean of trade returns"),
  profit_factor: figure.describe("Sum of winning over sum of losing trade returns"),
  sqn: figure.describe("System quality: root of n times mean over standard deviation of trade profits"),
  kelly: figure.describe("Kelly fraction of the trades: win rate less its complement over the payoff"),
  max_trade_days: figure,
  avg_trade_days: figure,
  commissions: z.number().describe("Paid for closed and open trades, USD"),
});
export type Metrics = z.infer<typeof Metrics>;
