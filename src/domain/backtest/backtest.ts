import { z } from "zod";
import { splitConditions } from "../../lib/split-conditions.ts";
import { MarketMode, withTimeProblem } from "../answers.ts";
import { ComputedPrice, Percent, Ratio, Units, Usd } from "../figures.ts";
import { BarTimeframe } from "../market/bars.ts";
import { AssetClass } from "../market/market.ts";
import { ofKind } from "../recognisers/field-kinds.ts";
import { withTextForm } from "../text-form.ts";
import { Metrics } from "./metrics.ts";
import { StrategyName } from "./strategies.ts";

/** Maximum number of backtests stored per account, over all markets. */
export const MAX_BACKTESTS = 200;

/**
 * Default slippage by asset class, fraction of the price on each side: half a usual spread and the impact of a small
 * order in a liquid market.
 */
export const DEFAULT_SLIPPAGE = { equity: 0.0005, etf: 0.0002, crypto: 0.001 } as const satisfies Record<
  AssetClass,
  number
>;

/** Reason for closing a position: a decision, its stop or target was hit, or the data ended. */
export const ExitReason = z.enum(["decision", "stop", "target", "end"]);
export type ExitReason = z.infer<typeof ExitReason>;

export const SizingKind = z.enum(["all_in", "units", "percent", "volatility", "kelly"]);
export type SizingKind = z.infer<typeof SizingKind>;

export interface Sizing {
  readonly kind: SizingKind;
  /**
   * units: units of the instrument; percent: of equity; volatility: percent of equity at risk over 2 ATR14;
   * kelly: the fraction of the Kelly stake, .25 for a quarter. null for all_in.
   */
  readonly value: number | null;
}

const figure = z.number().nullable();

const ConditionList = z.array(z.string().max(200)).max(20).optional();
const Conditions = z.object({ all: ConditionList, any: ConditionList, none: ConditionList }).strict();

/** Custom rules: flat lists of conditions such as `rsi(14) < 30` or `grade >= B+`. */
export const BacktestRules = z
  .object({
    entry: withTextForm(Conditions, {
      form: "`rsi(14) < 30 and close > sma(200)`, or joined by `or`",
      parse: splitConditions,
    }).describe("Opens when all of `all`, any of `any` and none of `none` hold"),
    exit: withTextForm(Conditions, { form: "Written like entry", parse: splitConditions })
      .optional()
      .describe("Closes by the same combination"),
    side: z.enum(["long", "short"]).optional().describe("Default: long."),
    stop: ofKind(z.string().max(40), "level").optional().describe("`2 atr` or `5 %` from the close"),
    target: ofKind(z.string().max(40), "level").optional(),
    trail: ofKind(z.string().max(40), "level").optional().describe("Trailing stop"),
    limit: ofKind(z.string().max(40), "level").optional().describe("Limit below the close"),
  })
  .strict();
export type BacktestRules = z.infer<typeof BacktestRules>;

const Moment = z.string().describe("Start of the bar: a date for daily bars, else ISO 8601 UTC");

export const TradeRow = z.object({
  symbol: z.string(),
  side: z.enum(["LONG", "SHORT"]),
  units: Units,
  entry_time: Moment,
  entry_price: ComputedPrice.describe("Includes slippage"),
  exit_time: Moment,
  exit_price: ComputedPrice,
  exit_reason: ExitReason,
  stop: ComputedPrice.nullable(),
  target: ComputedPrice.nullable(),
  profit: Usd.describe("Profit after commission, USD"),
  commission: Usd,
  return_pct: Percent.describe("Return on the entry's turnover, after commission, percent"),
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
}).extend({ profit: Usd.describe("Profit at the last close, before the commission of closing, USD") });

export const EquityPoint = z.object({
  time: Moment,
  equity: Usd,
  buy_hold: Usd.nullable().describe(
    "Value of holding the symbols instead, from the first close at which the strategy could have bought",
  ),
});
export type EquityPoint = z.infer<typeof EquityPoint>;

export const PartRow = z.object({
  part: z.string().describe("A year, a half, or a multiple of costs"),
  return_pct: Percent,
  buy_hold_return_pct: Percent.nullable(),
  max_drawdown: Percent.describe("Percent, negative"),
  sharpe_arithmetic: Ratio.nullable(),
  trade_count: z.number().int(),
});
export type PartRow = z.infer<typeof PartRow>;
const CostRow = PartRow.omit({ buy_hold_return_pct: true }).partial({ max_drawdown: true });

const Range = z.object({
  value: Ratio.nullable(),
  low: Ratio.nullable(),
  high: Ratio.nullable(),
  reason: z.string().nullable().describe("Why the value is null"),
});

/** Rows that an answer does not list; get_backtest lists them with detail full. */
const LeftOut = z.number().int().default(0);

const ParamValues = z.record(z.string(), z.union([z.number(), z.string()]));

const Outcome = z.object({
  return_pct: Percent,
  max_drawdown: Percent,
  sharpe_arithmetic: Ratio.nullable(),
  trade_count: z.number().int(),
});
const OutOfSample = Outcome.omit({ max_drawdown: true }).nullable();

/** Parameters tried, and the result of choosing them on past data only. */
export const SweepAnswer = z.object({
  trials: z.number().int().describe("Combinations tried"),
  left_out: z.number().int().describe("Combinations skipped as contradictory"),
  best: z
    .array(Outcome.extend({ params: ParamValues }))
    .describe("The best ten by arithmetic Sharpe ratio, or the best with detail concise"),
  walk_forward: z
    .object({
      folds: z.array(
        z.object({
          from: Moment,
          to: Moment,
          params: ParamValues.nullable().describe("Chosen on earlier bars only"),
          in_sample_sharpe: Ratio.nullable(),
          out_of_sample: OutOfSample,
        }),
      ),
      folds_left_out: LeftOut,
      out_of_sample: OutOfSample.describe("All folds in sequence"),
      ratio: Ratio.nullable().describe("Out-of-sample Sharpe ratio over the mean in-sample one"),
      reason: z.string().nullable(),
    })
    .nullable()
    .describe("null unless folds were requested"),
});
export type SweepAnswer = z.infer<typeof SweepAnswer>;

const Chance = z
  .object({
    value: Ratio,
    at_least: z.number().int().describe("Shuffled runs that did as well or better"),
    share: Ratio.describe(
      "(at_least + 1) / (draws + 1): probability of such a result if the order of returns did not matter",
    ),
    mean: Ratio.describe("Mean over the shuffled runs"),
  })
  .nullable();

export const BacktestResult = z.object({
  ok: z.literal(true),
  id: z
    .string()
    .describe(
      `The same request over the same bars has the same id. get_backtest returns it while it is one of the account's ${MAX_BACKTESTS} newest.`,
    ),
  symbol: z.string().nullable().describe("null with several symbols"),
  symbols: z.array(z.string()),
  benchmark: z
    .string()
    .nullable()
    .default(null)
    .describe("Symbol that buy-and-hold figures, alpha and beta compare with; null: the symbols themselves"),
  strategy: StrategyName,
  params: ParamValues,
  rules: BacktestRules.nullable(),
  timeframe: BarTimeframe,
  from: Moment.describe("First bar traded"),
  to: Moment.describe("Last bar traded"),
  bars: z.number().int().describe("Bars traded, over all symbols"),
  account: z.object({
    cash: Usd,
    commission: z.number().describe("Fraction of turnover, each side"),
    commission_per_share: z.number().optional(),
    slippage: z
      .number()
      .nullable()
      .describe(
        "Fraction by which orders at the market fill worse, each side; null: notes have it by symbol",
      ),
    borrow_rate: z.number().optional(),
    sizing: z.object({ kind: SizingKind, value: figure }),
    fractional: z
      .boolean()
      .nullable()
      .describe("true: fractional units. null: fractional for crypto, whole units otherwise."),
    finalize: z.boolean(),
    cooldown: z.object({ stop_outs: z.number().int(), minutes: z.number() }).optional(),
    halt_drawdown: z.number().optional().describe("Percent below the equity peak; absent: no halt"),
  }),
  metrics: Metrics,
  undefined_metrics: z.array(z.object({ metric: z.string(), reason: z.string() })),
  trades: z
    .array(TradeRow)
    .describe("Closed trades, oldest first; only the newest ones if trades_left_out is not 0"),
  trades_left_out: z.number().int(),
  open_trades: z.array(OpenTradeRow),
  refused_orders: z.array(z.object({ symbol: z.string(), reason: z.string(), count: z.number().int() })),
  equity: z
    .array(EquityPoint)
    .describe("Equity at closes; always includes the first, last, highest and lowest"),
  equity_left_out: z.number().int(),
  months: z.array(z.object({ month: z.string(), return_pct: Percent })).describe("Oldest first"),
  months_left_out: LeftOut,
  years: z.array(PartRow).describe("Oldest first; only the newest ones if years_left_out is not 0"),
  years_left_out: LeftOut,
  halves: z.array(PartRow),
  costs: z.array(CostRow).describe("The same run at 0, 1, 2 and 3 times its costs; concise: at 0 and 3"),
  intervals: z
    .object({ annual_return_pct: Range, sharpe_arithmetic: Range, mean_daily_return_pct: Range })
    .describe("95 % intervals from 1,000 bootstrap resamples of blocks of days"),
  deflated_sharpe: z
    .object({
      probabilistic: Ratio.nullable().describe("Probability that the Sharpe ratio is above 0"),
      deflated: Ratio.nullable().describe(
        "Probability that it exceeds the best Sharpe ratio expected by chance among all trials; null for one trial",
      ),
      trials: z
        .number()
        .int()
        .describe("Different settings that this account ran on these symbols and bars, with this run"),
      reason: z.string().nullable(),
    })
    .describe("Probability that the Sharpe ratio is not chance, given the number of trials"),
  look_ahead: z
    .object({ found: z.boolean(), detail: z.string() })
    .describe("Decisions recomputed without later bars, and with other ones"),
  null_run: z
    .object({ draws: z.number().int(), sharpe_arithmetic: Chance, return_pct: Chance })
    .nullable()
    .describe("The same strategy on shuffled returns; null unless requested"),
  sweep: SweepAnswer.nullable(),
  warnings: z.array(z.string()).describe("Reasons to distrust the result"),
  notes: z.array(z.string()),
  source: z.string().describe("Provider of the bars; `sample` is simulated"),
  venue: z.string(),
  adjustment: z.string(),
  asset_class: AssetClass.nullable().describe("null for symbols of several asset classes"),
  market: MarketMode,
  data_as_of: z.iso.datetime().describe("When the last bar closed; no input is later"),
  created_at: z.iso.datetime(),
  inputs_hash: z.string().describe("Hash of every bar read"),
  model_version: z.string(),
});
export type BacktestResult = z.infer<typeof BacktestResult>;

export const BacktestId = z
  .string()
  .regex(
    /^(latest|bt_[0-9a-f]{20})$/,
    "must be `latest` or an id returned by run_backtest: bt_ and 20 hexadecimal digits",
  )
  .describe(
    `Id returned by run_backtest, or \`latest\`. The ${MAX_BACKTESTS} newest per account are stored.`,
  );

/** Calendar day of a request. */
export const Day = ofKind(
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/, {
      error: ({ input }) => withTimeProblem(input, "must be a date such as 2024-06-28"),
    })
    .refine(
      (day) => !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day),
      "is not a date on the calendar",
    ),
  "day",
);
