import type { BacktestResult, EquityPoint, PartRow } from "../../domain/backtest/backtest.ts";
import type { Paint } from "../../domain/terminal.ts";
import { formatPrice } from "../../lib/format-price.ts";

const BLOCKS = "▁▂▃▄▅▆▇█";
const WIDTH = 60;
const MAX_TRADES = 10;

/** Formats a run: a sentence, metrics, equity curve, warnings and last trades. */
export function formatBacktest(result: BacktestResult, paint: Paint): string {
  const { metrics, intervals, account, strategy, params, warnings, costs } = result;
  const row = (name: string, value: string) => `  ${paint("dim", name.padEnd(16))}${value}`;
  const reasons = new Map(result.undefined_metrics.map(({ metric, reason }) => [metric, reason]));
  const figure = (name: keyof typeof metrics, unit = "", digits = 2) => {
    const value = metrics[name];
    return value === null ? `none: ${reasons.get(name) ?? "not defined"}` : `${value.toFixed(digits)}${unit}`;
  };
  const settings = Object.entries(params).map(([name, value]) => `${name} ${value}`);
  const benchmark =
    metrics.buy_hold_return_pct === null ? "" : `, buying and holding ${signed(metrics.buy_hold_return_pct)}`;
  const sharpe = intervals.sharpe_arithmetic;
  return [
    `${strategy} on ${paint("bold", result.symbols.join(", "))} returned ${signed(metrics.return_pct)} from ${result.from} to ${result.to}${benchmark}, in ${metrics.trade_count} closed trades.`,
    ...(settings.length === 0 ? [] : [paint("dim", `  ${settings.join(", ")}`)]),
    paint("dim", `  ${result.timeframe} bars of ${result.source} (${result.venue}), ${result.adjustment}`),
    paint(
      "dim",
      `  cash ${formatPrice(account.cash)}, commission ${costsText(account)}, ${account.sizing.kind}`,
    ),
    "",
    `  ${sparkline(result.equity)}`,
    row("final equity", `${formatPrice(metrics.final_equity)}  ${signed(metrics.return_pct)}`),
    row(
      "buy and hold",
      `${figure("buy_hold_return_pct", "%")}${result.benchmark === null ? "" : ` (${result.benchmark})`}; alpha ${figure("alpha_annual_pct", "% a year")}`,
    ),
    row("annual return", figure("annual_return_pct", "%")),
    row("max drawdown", figure("max_drawdown", "%")),
    row(
      "sharpe ratio",
      `${figure("sharpe_ratio")}  ${paint("dim", `arithmetic ${figure("sharpe_arithmetic")}${sharpe.low === null || sharpe.high === null ? "" : `, 95% ${sharpe.low.toFixed(2)} to ${sharpe.high.toFixed(2)}`}`)}`,
    ),
    row("sortino, calmar", `${figure("sortino_ratio")}, ${figure("calmar_ratio")}`),
    row(
      "trades",
      `${metrics.trade_count} closed, won ${figure("win_rate", "%", 1)}, exposure ${figure("exposure_pct", "%", 1)}`,
    ),
    row(
      "profit factor",
      `${figure("profit_factor")}, expectancy ${figure("expectancy_pct", "%")}, SQN ${figure("sqn")}`,
    ),
    row(
      "at 0/1/3x costs",
      ["0x costs", "1x costs", "3x costs"]
        .map((part) => costs.find((one) => one.part === part)?.return_pct)
        .map((return_pct) => signed(return_pct ?? metrics.return_pct))
        .join(", "),
    ),
    ...result.halves.map((half) => row(half.part, formatPart(half))),
    row("look-ahead", result.look_ahead.found ? result.look_ahead.detail : "none found"),
    ...formatSignificance(result, row),
    ...formatSweep(result, row),
    ...warnings.map((warning) => `  ${paint("yellow", warning)}`),
    ...formatTrades(result, paint),
    ...result.notes.map((note) => paint("dim", `  ${note}`)),
    paint(
      "dim",
      `  ${result.id}, ${result.model_version}, inputs ${result.inputs_hash.slice(0, 12)}, as of ${result.data_as_of}`,
    ),
  ].join("\n");
}

/** Formats the costs of an account that are not 0; slippage always. */
function costsText({
  commission,
  commission_per_share = 0,
  slippage,
  borrow_rate = 0,
}: BacktestResult["account"]): string {
  return [
    `${commission}`,
    ...(commission_per_share > 0 ? [`${commission_per_share} USD a unit`] : []),
    slippage === null ? "slippage by asset class" : `slippage ${slippage} a side`,
    ...(borrow_rate > 0 ? [`borrowing ${borrow_rate} a year`] : []),
  ].join(", ");
}

/** Formats an equity curve as a line of block characters. */
export function sparkline(points: readonly Pick<EquityPoint, "equity">[], width = WIDTH): string {
  if (points.length === 0) return "";
  const count = Math.min(width, points.length);
  const shown = Array.from(
    { length: count },
    (_, i) => points[Math.ceil(((i + 1) * points.length) / count) - 1]!.equity,
  );
  const [low, high] = [Math.min(...shown), Math.max(...shown)];
  const level = (value: number) =>
    high === low ? 0 : Math.min(7, Math.floor((8 * (value - low)) / (high - low)));
  return shown.map((value) => BLOCKS[level(value)]).join("");
}

const signed = (value: number): string => `${value >= 0 ? "+" : ""}${value.toFixed(2)}%`;

const formatPart = ({ return_pct, max_drawdown, trade_count }: PartRow): string =>
  `${signed(return_pct)}, max drawdown ${max_drawdown.toFixed(2)}%, ${trade_count} closed trades`;

/** Formats the statistics that show how likely the result is due to chance. */
function formatSignificance(
  { deflated_sharpe: { deflated, probabilistic, trials }, null_run }: BacktestResult,
  row: (name: string, value: string) => string,
): readonly string[] {
  const likely =
    deflated !== null
      ? [
          row(
            "deflated sharpe",
            `${(100 * deflated).toFixed(1)}% likely above the best of ${trials} trials by chance`,
          ),
        ]
      : probabilistic !== null && trials === 1
        ? [row("sharpe above 0", `${(100 * probabilistic).toFixed(1)}% likely; one trial counted`)]
        : [];
  const shuffled = null_run?.sharpe_arithmetic;
  if (!shuffled || null_run === null) return likely;
  return [
    ...likely,
    row(
      "shuffled",
      `${shuffled.at_least} of ${null_run.draws} runs on shuffled returns had as high a Sharpe ratio`,
    ),
  ];
}

function formatSweep(
  { sweep }: BacktestResult,
  row: (name: string, value: string) => string,
): readonly string[] {
  if (sweep === null) return [];
  const forward = sweep.walk_forward?.out_of_sample;
  return [
    row("sweep", `${sweep.trials} combinations tried, ${sweep.left_out} left out`),
    ...(forward
      ? [
          row(
            "walk forward",
            `${signed(forward.return_pct)} out of sample, Sharpe ${forward.sharpe_arithmetic?.toFixed(2) ?? "none"}, ${forward.trade_count} trades`,
          ),
        ]
      : []),
  ];
}

function formatTrades({ trades, metrics }: BacktestResult, paint: Paint): readonly string[] {
  if (trades.length === 0) return [];
  const widest = Math.max(...trades.map(({ symbol }) => symbol.length), 6);
  const lines = trades
    .slice(-MAX_TRADES)
    .map((trade) =>
      [
        `  ${trade.symbol.padEnd(widest)} ${trade.side.padEnd(5)}`,
        `${trade.entry_time} ${formatPrice(trade.entry_price)} to ${trade.exit_time} ${formatPrice(trade.exit_price)}`,
        paint(trade.profit >= 0 ? "green" : "red", signed(trade.return_pct)),
        trade.exit_reason,
      ].join("  "),
    );
  return ["", paint("dim", `  last ${lines.length} of ${metrics.trade_count} trades`), ...lines];
}
