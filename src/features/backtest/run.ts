import { bootstrap, type Intervals } from "../../analytics/backtest/bootstrap.ts";
import { deflatedSharpe } from "../../analytics/backtest/deflated.ts";
import { seededRandom } from "../../analytics/backtest/random.ts";
import { dailyReturns, tradingYear } from "../../analytics/backtest/returns.ts";
import { simulate } from "../../analytics/backtest/simulate.ts";
import { type CostOutcome, runAtCostMultiples } from "../../analytics/backtest/stability.ts";
import type { Params } from "../../analytics/backtest/strategies/params.ts";
import type { Account, Ledger, Stream } from "../../analytics/backtest/types.ts";
import type { BacktestResult } from "../../domain/backtest/backtest.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { yieldToEventLoop } from "../../lib/event-loop.ts";
import { digestOnce, hashOfDigests } from "../signal/inputs-hash.ts";
import { readHistories, type SymbolHistories } from "./histories.ts";
import { type BacktestRequest, invalidStrategy, planOf, type StrategyPlan } from "./plan.ts";
import { findLookAhead, type LookAheadChange, nullRunOf, strategyOf } from "./replays.ts";
import { runSweep, type SweepResult } from "./sweep.ts";
import { readTapes } from "./tapes.ts";

/** A run with its robustness checks. */
export interface Backtest extends SymbolHistories {
  readonly plan: StrategyPlan;
  /** Parameters of the plan, or the best parameters of a sweep. */
  readonly params: Params;
  readonly account: Account;
  readonly year: number;
  readonly streams: readonly Stream[];
  readonly ledger: Ledger;
  readonly costs: readonly CostOutcome[];
  readonly intervals: Intervals;
  readonly deflated: BacktestResult["deflated_sharpe"];
  readonly peek: LookAheadChange | null;
  readonly nullRun: BacktestResult["null_run"];
  readonly swept: SweepResult | null;
  readonly inputsHash: string;
}

/**
 * Runs a strategy over the history of its symbols. Reads no bars that closed after `to`, and yields to the event loop
 * between steps. @throws ToolError INVALID_INPUT, UNKNOWN_SYMBOL or NOT_ENOUGH_DATA
 */
export async function executeBacktest(
  request: BacktestRequest,
  ports: Pick<Ports, "symbols" | "bars">,
): Promise<Backtest> {
  const { from, to, signal, folds, draws } = request;
  const progress = cumulativeProgress(request.progress);
  const plan = planOf(request);
  const reads = plan.needs.signal || plan.needs.phase;
  requireRunnable(request, plan.strategy, reads);
  progress({ done: 0, total: 1, message: "reading bars" });
  const all = await readHistories(request, ports);
  const { read } = all;
  if (request.sweep === undefined) for (const one of read) requireEnoughBars(one, plan);
  const replayed = (done: number, total: number) => progress({ done, total, message: "signals replayed" });
  const tapeRequest = { read, needs: plan.needs, asOf: to, signal, progress: replayed };
  const tapes = reads ? await readTapes(tapeRequest, ports) : null;

  const account: Account = {
    ...request.account,
    fractional: request.account.fractional ?? false,
    ...(from !== undefined && { from }),
  };
  const year = Math.max(...read.map(({ series }) => tradingYear(series.bars.time)));
  const streamsFor = (params: Params): readonly Stream[] =>
    read.map(({ instrument: { symbol, asset_class }, series: { bars } }) => ({
      symbol,
      bars,
      fractional: request.account.fractional ?? asset_class === "crypto",
      decisions: plan.decide(bars, tapes?.of(symbol), params),
    }));
  const digest = digestOnce();
  const inputsHash = hashOfDigests(
    [...read.map(({ series }) => series.bars), ...(tapes?.companions ?? [])].map(digest),
  );
  const seed = Number.parseInt(inputsHash.slice(0, 8), 16);

  const { sweep: grid } = request;
  const counts = read.map(({ series }) => series.bars.time.length);
  const sweepOptions = { plan, folds, account, year, streamsFor, signal, progress, counts };
  const swept = grid === undefined ? null : await runSweep({ ...sweepOptions, grid });
  const params = { ...plan.params, ...swept?.best?.params };
  const streams = streamsFor(params);
  const ledger = simulate(streams, account);
  if (ledger.time.length < 2)
    throw new ToolError("NOT_ENOUGH_DATA", "The requested period has one bar; a trade needs two", {
      hint: "Set an earlier from or a later to.",
      data: { have: ledger.time.length, need: 2 },
    });
  await yieldToEventLoop();
  const returns = dailyReturns(ledger);
  const peek = await findLookAhead({ read, plan, params, tapes, signal });
  const [first] = read;
  const { symbol } = first!.instrument;
  const { bars } = first!.series;
  const nullOptions = { symbol, bars, account, year, seed, draws, strategy: strategyOf(plan, params) };
  const byChance = draws === 0 ? null : await nullRunOf(nullOptions, { signal, progress, draws });
  const costs = runAtCostMultiples((other) => simulate(streams, other), account, year);
  await yieldToEventLoop();
  const intervals = bootstrap(returns, { year, random: seededRandom(seed) });
  await yieldToEventLoop();
  signal.throwIfAborted();
  return {
    ...all,
    plan,
    params,
    account,
    year,
    streams,
    ledger,
    swept,
    inputsHash,
    costs,
    intervals,
    deflated: deflatedSharpe(returns, {
      count: swept?.trials ?? 1,
      variance: swept === null || swept.sharpeVariance === null ? null : swept.sharpeVariance / year,
    }),
    peek,
    nullRun: byChance,
  };
}

/** Rejects parameters that contradict each other; `reads` is true for strategies that read the signal or phase. */
function requireRunnable(request: BacktestRequest, strategy: string, reads: boolean): void {
  const { timeframe, from, to, folds, draws, sweep, symbols } = request;
  const swept = sweep !== undefined;
  const checks: readonly (readonly [broken: boolean, field: string, message: string])[] = [
    [
      reads && timeframe !== "1d",
      "timeframe",
      `${strategy} reads the signal, whose ranks are daily: set it to 1d`,
    ],
    [from !== undefined && to !== undefined && from >= to, "from", "must be before to"],
    [draws > 0 && reads, "null_run", "requires a strategy that reads only bars"],
    [draws > 0 && swept, "null_run", "cannot be combined with sweep"],
    [draws > 0 && symbols.length > 1, "null_run", "requires a single symbol"],
    [folds > 0 && !swept, "folds", "require sweep"],
  ];
  const broken = checks.filter(([isBroken]) => isBroken);
  if (broken.length > 0)
    throw invalidStrategy(broken.map(([, field, message]) => ({ path: [field], message })));
}

function requireEnoughBars(
  { instrument, series }: SymbolHistories["read"][number],
  { strategy, minBars }: StrategyPlan,
): void {
  const have = series.bars.time.length;
  const need = minBars();
  if (have >= need) return;
  const { symbol } = instrument;
  throw new ToolError(
    "NOT_ENOUGH_DATA",
    `${symbol} has ${have} closed bars; ${strategy} with these parameters needs ${need} before its first trade`,
    { hint: "Use shorter averages or a longer history.", data: { symbol, have, need } },
  );
}

/** Returns a progress callback that adds up the progress of all phases. */
function cumulativeProgress(report: BacktestRequest["progress"]): BacktestRequest["progress"] {
  let [before, phase, furthest] = [0, "", 0];
  return ({ done, total, message }) => {
    if (message !== phase) [before, phase] = [furthest, message];
    furthest = Math.max(furthest, before + done);
    report({ done: furthest, total: Math.max(furthest, before + total), message });
  };
}
