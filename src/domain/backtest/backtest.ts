import { z } from "zod";
import { Timeframe } from "../market/bars.ts";
import { AssetClass } from "../market/market.ts";

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
/** Agents that cannot be replayed over the past, with the reason. */
const UNRECORDED: Readonly<Record<string, string>> = {
  prediction_news: "it reads news and prediction markets, whose past nobody recorded",
  edge_detection: "it reads prediction markets, whose past nobody recorded",
};
export const StrategyName = z.enum(STRATEGIES, {
  error: ({ input }) => {
    const why = typeof input === "string" && Object.hasOwn(UNRECORDED, input) ? UNRECORDED[input] : undefined;
    return why === undefined ? undefined : `${input} cannot be tested: ${why}`;
  },
});
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

/** Metrics of a run. An undefined metric is null, and `undefined_metrics` gives the reason. */
export const Metrics = z.object({
  final_equity: z.number().describe("Cash and positions at the last close, USD"),
  equity_peak: z.number().describe("Highest at a close, USD"),
  return_pct: z.number().describe("Of the cash begun with, percent"),
  buy_hold_return_pct: share(
    "Holding the same symbols from the first close the strategy could have bought at",
  ),
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
  exposure_pct: z.number().describe("Bars within closed trades, percent"),
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
  commissions: z.number().describe("Paid for closed trades, USD"),
});
export type Metrics = z.infer<typeof Metrics>;

const ConditionList = z.array(z.string()).optional();
const Conditions = z.object({ all: ConditionList, any: ConditionList, none: ConditionList }).strict();

/** Rules of one's own: flat lists of conditions such as `rsi(14) < 30` or `grade >= B+`. */
export const BacktestRules = z
  .object({
    entry: Conditions.describe("Opens where every one of all, one of any and none of none holds"),
    exit: Conditions.optional().describe("Closes likewise"),
    side: z.enum(["long", "short"]).optional().describe("long unless said"),
    stop: z.string().optional().describe("`2 atr` or `5 %` from the close"),
    target: z.string().optional(),
  })
  .strict();
export type BacktestRules = z.infer<typeof BacktestRules>;

const price = z.number();
const Moment = z.string().describe("Start of the bar: a date for daily bars, else ISO 8601 UTC");

export const TradeRow = z.object({
  symbol: z.string(),
  side: z.enum(["LONG", "SHORT"]),
  units: z.number(),
  entry_time: Moment,
  entry_price: price.describe("With slippage"),
  exit_time: Moment,
  exit_price: price,
  exit_reason: ExitReason,
  stop: price.nullable(),
  target: price.nullable(),
  profit: z.number().describe("After commission, USD"),
  commission: z.number(),
  return_pct: z.number().describe("Of the entry's turnover, after commission, percent"),
});
export type TradeRow = z.infer<typeof TradeRow>;

export const OpenTradeRow = TradeRow.pick({
  symbol: true,
  side: true,
  units: true,
  entry_time: true,
  entry_price: true,
  stop: true,
  target: true,
}).extend({ profit: z.number().describe("At the last close, before the commission of a close, USD") });

export const EquityPoint = z.object({
  time: Moment,
  equity: z.number(),
  buy_hold: z
    .number()
    .nullable()
    .describe("Worth of holding the symbols instead, from the first close the strategy could have bought at"),
});
export type EquityPoint = z.infer<typeof EquityPoint>;

/** Result of a part of a run. */
export const PartRow = z.object({
  part: z.string().describe("A year, a half, or a multiple of costs"),
  return_pct: z.number(),
  buy_hold_return_pct: figure,
  max_drawdown: z.number().describe("Percent, negative"),
  sharpe_arithmetic: figure,
  trade_count: z.number().int(),
});
export type PartRow = z.infer<typeof PartRow>;

const Range = z.object({
  value: figure,
  low: figure,
  high: figure,
  reason: z.string().nullable().describe("Why it is null"),
});

const ParamValues = z.record(z.string(), z.union([z.number(), z.string()]));

const Outcome = z.object({
  return_pct: z.number(),
  max_drawdown: z.number(),
  sharpe_arithmetic: figure,
  trade_count: z.number().int(),
});
const OutOfSample = Outcome.omit({ max_drawdown: true }).nullable();

/** The parameters tried, and what choosing them on the past alone would have made. */
export const SweepAnswer = z.object({
  trials: z.number().int().describe("Combinations tried"),
  left_out: z.number().int().describe("Combinations that do not go together"),
  best: z.array(Outcome.extend({ params: ParamValues })).describe("The best ten by arithmetic Sharpe ratio"),
  walk_forward: z
    .object({
      folds: z.array(
        z.object({
          from: Moment,
          to: Moment,
          params: ParamValues.nullable().describe("Chosen on the bars before alone"),
          in_sample_sharpe: figure,
          out_of_sample: OutOfSample,
        }),
      ),
      out_of_sample: OutOfSample.describe("All folds one after the other"),
      ratio: figure.describe("Sharpe ratio out of sample over the mean one in sample"),
      reason: z.string().nullable(),
    })
    .nullable()
    .describe("null where no folds were asked for"),
});
export type SweepAnswer = z.infer<typeof SweepAnswer>;

const Chance = z
  .object({
    value: z.number(),
    at_least: z.number().int().describe("Shuffled runs that did as well or better"),
    share: z
      .number()
      .describe("(at_least + 1) / (draws + 1): the chance of as much where order means nothing"),
    mean: z.number().describe("Of the shuffled runs"),
  })
  .nullable();

/** Backtest as returned and stored. */
export const BacktestResult = z.object({
  ok: z.literal(true),
  id: z.string().describe("The same request over the same bars has the same id; get_backtest tells it again"),
  symbol: z.string().nullable().describe("null where there are several"),
  symbols: z.array(z.string()),
  strategy: StrategyName,
  params: ParamValues,
  rules: BacktestRules.nullable(),
  timeframe: Timeframe,
  from: Moment.describe("First bar traded"),
  to: Moment.describe("Last bar traded"),
  bars: z.number().int().describe("Bars traded over, of all symbols together"),
  account: z.object({
    cash: z.number(),
    commission: z.number().describe("Fraction of turnover at each side"),
    slippage: z.number().describe("Fraction by which an entry is filled worse"),
    sizing: z.object({ kind: SizingKind, value: figure }),
    fractional: z.boolean().nullable().describe("null: parts of coins, whole units of everything else"),
    finalize: z.boolean(),
    cooldown: z.object({ stop_outs: z.number().int(), minutes: z.number() }).optional(),
    halt_drawdown: z.number().optional().describe("Percent under the highest equity; left out: none"),
  }),
  metrics: Metrics,
  undefined_metrics: z.array(z.object({ metric: z.string(), reason: z.string() })),
  trades: z
    .array(TradeRow)
    .describe("Closed trades, oldest first; the newest where trades_left_out is not 0"),
  trades_left_out: z.number().int(),
  open_trades: z.array(OpenTradeRow),
  refused_orders: z
    .array(z.object({ symbol: z.string(), reason: z.string(), count: z.number().int() }))
    .describe("Orders that were not filled"),
  equity: z.array(EquityPoint).describe("At closes; first, last, highs and lows are always among them"),
  equity_left_out: z.number().int(),
  months: z.array(z.object({ month: z.string(), return_pct: z.number() })),
  years: z.array(PartRow),
  halves: z.array(PartRow),
  costs: z.array(PartRow).describe("The same run at 1, 2 and 3 times its costs"),
  intervals: z
    .object({ annual_return_pct: Range, sharpe_arithmetic: Range, mean_daily_return_pct: Range })
    .describe("95 % of 1,000 resamples by blocks of days"),
  deflated_sharpe: z
    .object({
      probabilistic: figure.describe("Probability that the Sharpe ratio is above 0"),
      deflated: figure.describe("The same against the best of all trials by chance"),
      trials: z.number().int(),
      reason: z.string().nullable(),
    })
    .describe("How likely the Sharpe ratio is more than chance, given how many were tried"),
  look_ahead: z
    .object({ found: z.boolean(), detail: z.string() })
    .describe("Decisions replayed on bars cut short, and on other bars after the cut"),
  null_run: z
    .object({ draws: z.number().int(), sharpe_arithmetic: Chance, return_pct: Chance })
    .nullable()
    .describe("The same strategy on shuffled returns; null unless asked for"),
  sweep: SweepAnswer.nullable(),
  warnings: z.array(z.string()).describe("What speaks against believing it"),
  notes: z.array(z.string()),
  source: z.string().describe("Provider of the bars; `sample` is simulated"),
  venue: z.string(),
  adjustment: z.string(),
  asset_class: AssetClass.nullable().describe("null where symbols are of several"),
  market: z.enum(["sample", "files", "live"]),
  data_as_of: z.iso.datetime().describe("When the last bar closed; nothing later was read"),
  created_at: z.iso.datetime(),
  inputs_hash: z.string().describe("Names every bar that was read"),
  model_version: z.string(),
});
export type BacktestResult = z.infer<typeof BacktestResult>;

/** Which of an account's backtests. */
export const BacktestId = z
  .string()
  .regex(/^(latest|bt_[0-9a-f]{20})$/, "is `latest`, or an id of run_backtest: bt_ and 20 hexadecimal digits")
  .describe("As run_backtest gave it, or `latest`");

/** A day of a run. */
export const Day = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/, "is a day such as 2024-06-28")
  .refine(
    (day) => !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day),
    "is no day of the calendar",
  );
