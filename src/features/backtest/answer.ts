import { holdingCurve } from "../../analytics/backtest/market.ts";
import { BACKTEST_VERSION, metricsOf } from "../../analytics/backtest/metrics.ts";
import { periodsOf } from "../../analytics/backtest/periods.ts";
import type { Trade } from "../../analytics/backtest/types.ts";
import { MODEL_VERSION } from "../../analytics/score/consensus.ts";
import type { BacktestResult, EquityPoint, TradeRow } from "../../domain/backtest/backtest.ts";
import type { Market } from "../../domain/market/market.ts";
import { barLabel } from "../../domain/rows.ts";
import { downsampleEquity } from "./downsample.ts";
import type { BacktestRequest } from "./plan.ts";
import type { Backtest } from "./run.ts";
import type { SweepResult } from "./sweep.ts";
import { notesOf, warningsOf } from "./warnings.ts";

/** Maximum trades and points stored with a run. */
const MAX_STORED = { trades: 5_000, points: 2_500 } as const;
/** Maximum list lengths in a response. */
const PAGE_LIMITS = {
  concise: { trades: 5, points: 12, months: 3 },
  full: { trades: 100, points: 60, months: 60 },
} as const;

export interface ResultContext {
  readonly market: Market;
  readonly now: Date;
  readonly id: string;
}

/** Maps a run to the stored result; metrics cover the entire run, and lists are truncated. */
export function toBacktestResult(
  run: Backtest,
  { timeframe, from }: Pick<BacktestRequest, "timeframe" | "from">,
  { market, now, id }: ResultContext,
): BacktestResult {
  const { plan, params, account, streams, ledger, read, year, peek, nullRun } = run;
  const { time, equity } = ledger;
  const label = (at: number) => barLabel(at, timeframe);
  const buyAndHold = holdingCurve(streams, time, account);
  const { metrics, undefined_metrics } = metricsOf(ledger, { streams, account, year });
  const pointAt = (at: number, i: number): EquityPoint => ({
    time: label(at),
    equity: equity[i]!,
    buy_hold: account.cash * buyAndHold[i]!,
  });
  const points = Array.from(time, pointAt);
  const classes = new Set(read.map(({ instrument }) => instrument.asset_class));
  const several = (of: (one: (typeof read)[number]) => string): string =>
    [...new Set(read.map(of))].join(", ");
  const parts = new Set(streams.map(({ fractional }) => fractional ?? account.fractional));
  const symbols = read.map(({ instrument }) => instrument.symbol);
  return {
    ok: true as const,
    id,
    symbol: symbols.length === 1 ? symbols[0]! : null,
    symbols,
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
      slippage: account.slippage,
      sizing: { ...account.sizing },
      fractional: parts.size === 1 ? [...parts][0]! : null,
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
    open_trades: ledger.open.map(({ entryTime, entryPrice, symbol, side, units, stop, target, profit }) => ({
      symbol,
      side,
      units,
      entry_time: label(entryTime),
      entry_price: entryPrice,
      stop,
      target,
      profit,
    })),
    refused_orders: countRefusedOrders(run),
    equity: downsampleEquity(points, MAX_STORED.points),
    equity_left_out: Math.max(0, points.length - MAX_STORED.points),
    ...periodsOf(ledger, streams, year),
    costs: run.costs.map(({ multiple, ...outcome }) => ({
      part: `${multiple}x costs`,
      ...outcome,
      buy_hold_return_pct: null,
    })),
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
    source: several(({ series }) => series.source),
    venue: several(({ series }) => series.venue),
    adjustment: several(({ series }) => series.adjustment),
    asset_class: classes.size === 1 ? read[0]!.instrument.asset_class : null,
    market: market.mode,
    data_as_of: read
      .map(({ series }) => series.as_of)
      .sort()
      .at(-1)!,
    created_at: now.toISOString(),
    inputs_hash: run.inputsHash,
    model_version: plan.needs.signal ? `${BACKTEST_VERSION}, ${MODEL_VERSION}` : BACKTEST_VERSION,
  };
}

/** Selects the part of a run that a response contains. */
export interface ResultView {
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
    months: result.months.slice(-limits.months),
  };
}

const toTradeRow = (trade: Trade, label: (at: number) => string): TradeRow => ({
  symbol: trade.symbol,
  side: trade.side,
  units: trade.units,
  entry_time: label(trade.entryTime),
  entry_price: trade.entryPrice,
  exit_time: label(trade.exitTime),
  exit_price: trade.exitPrice,
  exit_reason: trade.reason,
  stop: trade.stop,
  target: trade.target,
  profit: trade.profit,
  commission: trade.commission,
  return_pct: 100 * trade.return,
});

function countRefusedOrders({ ledger }: Backtest): BacktestResult["refused_orders"] {
  const counts = new Map<string, BacktestResult["refused_orders"][number]>();
  for (const { symbol, reason } of ledger.refused) {
    const before = counts.get(`${symbol}|${reason}`);
    counts.set(`${symbol}|${reason}`, { symbol, reason, count: (before?.count ?? 0) + 1 });
  }
  return [...counts.values()];
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
    out_of_sample: forward.out_of_sample,
    ratio: forward.ratio,
    reason: forward.reason,
  },
});
