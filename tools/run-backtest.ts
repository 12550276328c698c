import { z } from "zod";
import { STRATEGY_TABLE } from "../src/analytics/backtest/strategies/table.ts";
import { equityPng } from "../src/charts/backtest-chart.ts";
import { Alternatives, Detail, intBetween, named, SymbolText } from "../src/domain/answers.ts";
import { BacktestResult, BacktestRules, Day, SizingKind } from "../src/domain/backtest/backtest.ts";
import { StrategyName } from "../src/domain/backtest/strategies.ts";
import { BacktestTimeframeText } from "../src/domain/market/bars.ts";
import { Media } from "../src/domain/media.ts";
import { MAX_SYMBOLS } from "../src/domain/requests/task.ts";
import { namedValues, withTextForm } from "../src/domain/text-form.ts";
import { truncateResult } from "../src/features/backtest/answer.ts";
import { formatBacktest } from "../src/features/backtest/backtest.text.ts";
import { runAndStoreBacktest } from "../src/features/backtest/stored-backtest.ts";
import { defineTool } from "../src/kernel/tool.ts";

const strategyParams = Object.values(STRATEGY_TABLE).flatMap(({ params }) => Object.entries(params));

/** Maximum number of parameters of a sweep. */
const MAX_SWEPT = 10;

/** The defaults of all parameters by strategy: `sma_cross: fast 50, slow 200; ...`. */
const defaultsText = Object.entries(STRATEGY_TABLE)
  .map(
    ([strategy, { params }]) =>
      [strategy, Object.entries(params).map(([name, param]) => `${name} ${param.default}`)] as const,
  )
  .filter(([, defaults]) => defaults.length > 0)
  .map(([strategy, defaults]) => `${strategy}: ${defaults.join(", ")}`)
  .join("; ");

const WORD_PARAMS: ReadonlySet<string> = new Set(
  strategyParams.flatMap(([name, param]) => ("words" in param ? [name] : [])),
);

/** All strategy parameters in one flat object; they are validated per strategy later. */
const Params = withTextForm(
  z
    .object(
      Object.fromEntries(
        strategyParams.map(([name]) => [
          name,
          (WORD_PARAMS.has(name) ? z.string().max(10) : z.number()).optional(),
        ]),
      ),
    )
    .strict(),
  {
    form: "`fast=50, slow=200`; `side=both`",
    parse: paramsOf,
    separator: "; ",
  },
).describe(`Strategy parameters. Defaults: ${defaultsText}`);

/** Parses `fast=50, side=both`. Values of numeric parameters that are no numbers stay text, which the schema refuses. */
function paramsOf(text: string) {
  const values = namedValues(text);
  if (typeof values === "string") return values;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const number = WORD_PARAMS.has(name) || value === "" ? Number.NaN : Number(value);
      return [name, Number.isNaN(number) ? value : number];
    }),
  );
}

const Sweep = withTextForm(
  z
    .record(z.string().max(20), z.string().max(2_000))
    .refine((swept) => Object.keys(swept).length <= MAX_SWEPT, `at most ${MAX_SWEPT} parameters`)
    .meta({ maxProperties: MAX_SWEPT }),
  { form: "Values to try: `fast=5..50:5; slow=60,100`", parse: namedValues, separator: "; " },
).describe('Values: `{"fast": "5..50:5", "slow": "60,100"}`; at most 2,000');

/** Costs are checked without a published limit: the list of tools has a budget of tokens. */
const Cost = z.number().refine((cost) => cost >= 0 && cost <= 100, "must be between 0 and 100");
const Share = z.number().refine((part) => part >= 0 && part <= 0.2, "must be between 0 and 0.2");

/** Backtests a strategy on one or several symbols, stores the result and returns it with warnings. */
export const runBacktest = defineTool({
  name: "run_backtest",
  title: "Run backtest",
  description:
    "Tests a trading strategy, or rules such as `rsi(14) < 30`, on past data in a new simulation with starting capital: money made, Sharpe, drawdown, win rate. Strategies: moving average cross, MACD, RSI and Bollinger mean reversion, Supertrend trend following, buy and hold, momentum. Use it for how buying by a rule would have worked out or done over past years. A run already made is in get_backtest.",
  topics: [
    "backtesting",
    "backtest a strategy",
    "sharpe ratio",
    "max drawdown",
    "strategy win rate",
    "moving average cross",
    "golden cross",
    "mean reversion",
    "buy and hold",
    "walk-forward",
    "would have made",
  ],
  toolset: "signal",
  plan: "founding",
  effect: "read",
  listed: "toolset",
  route: "POST /api/v1/backtest",
  cli: {
    command: "backtest",
    everyday: "Tests a strategy or your own rules on past prices.",
    positionals: ["symbol"],
  },
  deadlineMs: 300_000,
  needs: ["symbols", "bars", "clock", "compute", "market", "backtests", "tradeRules"],
  input: z.strictObject({
    symbol: SymbolText.optional(),
    symbols: z
      .array(z.string().max(40))
      .min(1)
      .max(MAX_SYMBOLS)
      .optional()
      .describe("Symbols sharing one account"),
    members: z.string().max(40).optional().describe("Of memberships.csv"),
    strategy: StrategyName.describe("rules: your own"),
    params: Params.optional(),
    rules: BacktestRules.optional().describe("With `rules`"),
    timeframe: BacktestTimeframeText.default("1d"),
    from: Day.optional().describe("First day, YYYY-MM-DD"),
    to: Day.optional().describe("Last day"),
    cash: z.number().min(0.01).max(1e12).default(10_000).describe("USD"),
    commission: Share.default(0.001).describe("Fraction, per side"),
    commission_per_share: Cost.optional().describe("USD"),
    slippage: Share.optional().describe("Per side. Default: by asset class"),
    borrow_rate: Cost.optional().describe("Shorts, a year"),
    benchmark: z.string().max(40).optional().describe("Symbol"),
    sizing: SizingKind.default("all_in").describe("volatility: percent at risk over 2 ATR"),
    size: z.number().positive().max(1e12).optional().describe("Of the sizing"),
    fractional: z.boolean().optional().describe("Default: crypto only"),
    finalize: z.boolean().default(false).describe("Close at the end"),
    loss_limits: z.boolean().optional().describe("The account's halt and cooldown"),
    sweep: Sweep.optional(),
    folds: intBetween(0, 20).default(0).describe("Walk-forward folds, from 2"),
    null_run: intBetween(0, 100).default(0).describe("Runs on shuffled returns"),
    picture: z.boolean().default(true).describe("Draw the equity curve"),
    detail: Detail,
  }),
  output: BacktestResult.extend({
    alternatives: Alternatives,
    media: Media.extend({ mime: z.literal("image/png") }).optional(),
  }),
  examples: [
    {
      ask: "Would a 10/20 moving-average cross have worked on Apple?",
      input: { symbol: "AAPL", strategy: "sma_cross", params: { fast: 10, slow: 20 } },
    },
    {
      ask: "Buy SPY when RSI is under 30 in an uptrend, sell over 60, stop at 2 ATR",
      input: {
        symbol: "SPY",
        strategy: "rules",
        rules: {
          entry: { all: ["rsi(14) < 30", "close > sma(200)"] },
          exit: { any: ["rsi(14) > 60"] },
          stop: "2 atr",
        },
        picture: false,
      },
    },
    {
      ask: "Which moving averages worked best on bitcoin, and do they hold up out of sample?",
      input: {
        symbol: "BTC-USD",
        strategy: "ema_cross",
        sweep: { fast: "5..20:5", slow: "30..60:10" },
        folds: 3,
        picture: false,
      },
    },
  ],
  terminal: formatBacktest,
  view: { name: "backtest", calls: ["get_history", "get_backtest"] },

  async handler({ picture, detail = "full", ...input }, ctx) {
    const { result, alternatives } = await runAndStoreBacktest(input, ctx);
    return {
      ...truncateResult(result, { detail }),
      alternatives: alternatives.map(named),
      ...(picture && { media: await equityPng(result, ctx) }),
    };
  },
});
