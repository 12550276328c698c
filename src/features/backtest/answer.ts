import { holdingCurve } from "../../analytics/backtest/market.ts";
import { BACKTEST_VERSION, metricsOf } from "../../analytics/backtest/metrics.ts";
import { periodsOf } from "../../analytics/backtest/periods.ts";
import type { OpenTrade, Trade } from "../../analytics/backtest/types.ts";
import { MODEL_VERSION } from "../../analytics/score/consensus.ts";
import type { BacktestResult, EquityPoint, SweepAnswer, TradeRow } from "../../domain/backtest/backtest.ts";
import { barLabel } from "../../domain/market/bars.ts";
import type { Market } from "../../domain/market/market.ts";
import { groupBy } from "../../lib/group-by.ts";
import { downsampleEquity } from "./downsample.ts";
import type { BacktestRequest } from "./plan.ts";
import type { Backtest } from "./run.ts";
import type { SweepResult } from "./sweep.ts";
import { notesOf, warningsOf } from "./warnings.ts";

/** Maximum trades and points stored with a run. */
const MAX_STORED = { trades: 5_000, points: 2_500 } as const;
/** Maximum list lengths in a response. */
const PAGE_LIMITS = {
  concise: { trades: 2, points: 3, months: 0, years: 2, combinations: 1, folds: 0 },
  full: { trades: 100, points: 60, months: 60, years: 200, combinations: 10, folds: 20 },
} as const;

/** Maps a run to the stored result; metrics cover the entire run, and lists are truncated. */
export function toBacktestResult(
  run: Backtest,
  { timeframe, from }: Pick<BacktestRequest, "timeframe" | "from">,
  { market, now, id }: { readonly market: Market; readonly now: Date; readonly id: string },
): BacktestResult {
  const { plan, params, account, streams, benchmark, ledger, read, year, peek, nullRun } = run;
  const { time, equity } = ledger;
  const label = (at: number) => barLabel(at, timeframe);
  const held = benchmark === null ? streams : [benchmark];
  const buyAndHold = holdingCurve(held, time, account);
  const { metrics, undefined_metrics } = metricsOf(ledger, { streams, benchmark: held, account, year });
  const points = Array.from(
    time,
    (at, i): EquityPoint => ({
      time: label(at),
      equity: equity[i]!,
      buy_hold: account.cash * buyAndHold[i]!,
    }),
  );
  const stored = downsampleEquity(points, MAX_STORED.points);
  const symbols = read.map(({ instrument }) => instrument.symbol);
  const series = read.map((one) => one.series);
  const distinct = (values: readonly string[]): string => [...new Set(values)].join(", ");
  return {
    ok: true as const,
    id,
    symbol: onlyOne(symbols),
    symbols,
    benchmark: benchmark?.symbol ?? null,
    strategy: plan.strategy,
    params,
    rules: plan.rules,
    timeframe,
    from: label(time[0]!),
    to: label(time[time.length - 1]!),
    bars: streams.reduce((sum, { bars }) => sum + bars.time.filter((at) => at >= time[0]!).length, 0),
    account: {
      cash: account.cash,
      commission: account.commission,
      ...(account.perShare !== undefined && { commission_per_share: account.perShare }),
      slippage: onlyOne(streams.map(({ slippage }) => slippage ?? account.slippage)),
      ...(account.borrow !== undefined && { borrow_rate: account.borrow }),
      sizing: { ...account.sizing },
      fractional: onlyOne(streams.map(({ fractional }) => fractional ?? account.fractional)),
      finalize: account.finalize,
      ...(account.cooldown && {
        cooldown: { stop_outs: account.cooldown.stopOuts, minutes: account.cooldown.minutes },
      }),
      ...(account.haltDrawdown !== undefined && { halt_drawdown: account.haltDrawdown }),
    },
    metrics,
    undefined_metrics,
    trades: ledger.trades.slice(-MAX_STORED.trades).map((trade) => toTradeRow(trade, label)),
    trades_left_out: Math.max(0, ledger.trades.length - MAX_STORED.trades),
    open_trades: ledger.open.map((trade) => toPositionRow(trade, label)),
    refused_orders: countRefusedOrders(run),
    equity: stored,
    equity_left_out: points.length - stored.length,
    ...periodsOf(ledger, held, year),
    months_left_out: 0,
    years_left_out: 0,
    costs: run.costs.map(({ multiple, ...outcome }) => ({ part: `${multiple}x costs`, ...outcome })),
    intervals: run.intervals,
    deflated_sharpe: run.deflated,
    look_ahead: {
      found: peek !== null,
      detail:
        peek === null
          ? `no decision changed when later bars were removed or replaced${plan.needs.signal || plan.needs.phase ? ", and no signal recomputed from bars up to its close differs" : ""}`
          : `the ${peek.field} of ${peek.symbol} at ${label(peek.time)} changes with later bars`,
    },
    null_run: nullRun,
    sweep: run.swept === null ? null : toSweepRow(run.swept, label),
    warnings: warningsOf(run, { metrics, from, label }),
    notes: notesOf(run, market),
    source: distinct(series.map(({ source }) => source)),
    venue: distinct(series.map(({ venue }) => venue)),
    adjustment: distinct(series.map(({ adjustment }) => adjustment)),
    asset_class: onlyOne(read.map(({ instrument }) => instrument.asset_class)),
    market: market.mode,
    data_as_of: series
      .map(({ as_of }) => as_of)
      .sort()
      .at(-1)!,
    created_at: now.toISOString(),
    inputs_hash: run.inputsHash,
    model_version: plan.needs.signal ? `${BACKTEST_VERSION}, ${MODEL_VERSION}` : BACKTEST_VERSION,
  };
}

/** Returns the value that all values equal; null if they differ. */
const onlyOne = <T>(values: readonly T[]): T | null =>
  values.every((value) => value === values[0]) ? values[0]! : null;

/** Multiples of costs of a concise answer; once is the run itself. */
const CONCISE_COSTS: ReadonlySet<string> = new Set(["0x costs", "3x costs"]);

/** Selects the part of a run that a response contains. */
interface ResultView {
  readonly detail: "concise" | "full";
  /** Page of trades; 1 has the newest. */
  readonly page?: number;
  /** Number of equity points. Default: by detail. */
  readonly points?: number | undefined;
}

/** Truncates the lists of a result and counts omitted entries, which `get_backtest` returns page by page. */
export function truncateResult(
  result: BacktestResult,
  { detail, page = 1, points }: ResultView,
): BacktestResult {
  const { trades, equity } = result;
  const limits = PAGE_LIMITS[detail];
  const end = Math.max(0, trades.length - (page - 1) * limits.trades);
  const shown = trades.slice(Math.max(0, end - limits.trades), end);
  const curve = downsampleEquity(equity, points ?? limits.points);
  return {
    ...result,
    trades: shown,
    trades_left_out: result.trades_left_out + trades.length - shown.length,
    equity: curve,
    equity_left_out: result.equity_left_out + equity.length - curve.length,
    months: newest(result.months, limits.months),
    months_left_out: Math.max(0, result.months.length - limits.months),
    years: newest(result.years, limits.years),
    years_left_out: Math.max(0, result.years.length - limits.years),
    costs: detail === "full" ? result.costs : conciseCosts(result.costs),
    sweep: result.sweep && truncateSweep(result.sweep, limits),
  };
}

const conciseCosts = (costs: BacktestResult["costs"]): BacktestResult["costs"] =>
  costs.filter(({ part }) => CONCISE_COSTS.has(part)).map(({ max_drawdown: _, ...row }) => row);

const newest = <Row>(rows: readonly Row[], count: number): Row[] =>
  rows.slice(Math.max(0, rows.length - count));

const truncateSweep = (
  { best, walk_forward, ...sweep }: SweepAnswer,
  limits: { readonly combinations: number; readonly folds: number },
): SweepAnswer => ({
  ...sweep,
  best: best.slice(0, limits.combinations),
  walk_forward: walk_forward && {
    ...walk_forward,
    folds: walk_forward.folds.slice(0, limits.folds),
    folds_left_out: Math.max(0, walk_forward.folds.length - limits.folds),
  },
});

const toPositionRow = (
  { symbol, side, units, entryTime, entryPrice, stop, target, profit }: OpenTrade,
  label: (at: number) => string,
) => ({
  symbol,
  side,
  units,
  entry_time: label(entryTime),
  entry_price: entryPrice,
  stop,
  target,
  profit,
});

const toTradeRow = (trade: Trade, label: (at: number) => string): TradeRow => ({
  ...toPositionRow(trade, label),
  exit_time: label(trade.exitTime),
  exit_price: trade.exitPrice,
  exit_reason: trade.reason,
  commission: trade.commission,
  return_pct: 100 * trade.return,
});

function countRefusedOrders({ ledger }: Backtest): BacktestResult["refused_orders"] {
  const groups = groupBy(ledger.refused, ({ symbol, reason }) => `${symbol}|${reason}`);
  return [...groups.values()].map((group) => {
    const { symbol, reason } = group[0]!;
    return { symbol, reason, count: group.length };
  });
}

const toSweepRow = (
  { trials, invalidCount, top, walkForward: forward }: SweepResult,
  label: (at: number) => string,
) => ({
  trials,
  left_out: invalidCount,
  best: [...top],
  walk_forward: forward && {
    folds: forward.folds.map((fold) => ({
      from: label(fold.from),
      to: label(fold.to),
      params: fold.params,
      in_sample_sharpe: fold.in_sample_sharpe,
      out_of_sample: fold.out_of_sample,
    })),
    folds_left_out: 0,
    out_of_sample: forward.out_of_sample,
    ratio: forward.ratio,
    reason: forward.reason,
  },
});
