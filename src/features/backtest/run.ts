import { rowFrom } from "../../analytics/backtest/timeline.ts";
import type { Stream } from "../../analytics/backtest/types.ts";
import type { TrialRecord } from "../../domain/backtest/trials.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { type BacktestInput, backtestTask, type ComputedBacktest, streamsOf } from "./compute.ts";
import { dividendColumn, readDividends } from "./dividends.ts";
import { readHistories, type SymbolHistories, type SymbolHistory } from "./histories.ts";
import { type BacktestRequest, invalidStrategy, planOf, type StrategyPlan } from "./plan.ts";
import { readCompanions } from "./tapes.ts";

/** A run with its robustness checks. */
export interface Backtest extends SymbolHistories, Omit<ComputedBacktest, "decisions"> {
  readonly plan: StrategyPlan;
  readonly streams: readonly Stream[];
  /** The benchmark to compare with; null for the symbols themselves. */
  readonly benchmark: Stream | null;
}

/**
 * Runs a strategy over the history of its symbols. Reads no bars that closed after `to`. `earlier`: trials of the
 * account so far. Default: none.
 * @throws ToolError INVALID_INPUT, UNKNOWN_SYMBOL or NOT_ENOUGH_DATA
 */
export async function executeBacktest(
  request: BacktestRequest,
  ports: Pick<Ports, "symbols" | "bars" | "compute">,
  earlier: readonly TrialRecord[] = [],
): Promise<Backtest> {
  const { strategy, params, rules, sweep, from, to, signal, folds, draws, account } = request;
  const progress = cumulativeProgress(request.progress);
  const plan = planOf(request);
  const reads = plan.needs.signal || plan.needs.phase;
  requireRunnable(request, plan.strategy, reads);
  progress({ done: 0, total: 1, message: "reading bars" });
  const all = await readHistories(request, ports);
  const benchmark = await readBenchmark(request, ports);
  const read = await Promise.all(
    all.read.map(async (one) => ({ ...one, dividends: await readDividends(one, ports, signal) })),
  );
  // a member without enough bars is not traded
  const required = request.list === undefined ? read : [read.toSorted(byBars)[0]!];
  if (sweep === undefined) for (const one of required) requireEnoughBars(one, plan);
  const companions = reads ? await readCompanions(read, { asOf: to, signal }, ports) : null;
  const input: BacktestInput = {
    strategy,
    params,
    rules,
    sweep,
    read,
    benchmark,
    companions,
    from,
    folds,
    draws,
    account,
    earlier,
  };
  const { decisions, ...computed } = await ports.compute.run(backtestTask, input, {
    signal,
    progress: (step) => progress({ message: "", ...step }),
  });
  const streams = streamsOf(read, account, (_, place) => decisions[place]!);
  return {
    ...all,
    read,
    plan,
    ...computed,
    streams,
    benchmark: benchmark && {
      symbol: benchmark.instrument.symbol,
      bars: benchmark.series.bars,
      ...(benchmark.dividends && {
        dividends: dividendColumn(benchmark.series.bars.time, benchmark.dividends),
      }),
      // held from the first bar at which the strategy could have bought
      decisions: {
        start: rowFrom(
          benchmark.series.bars.time,
          Math.min(...streams.map(({ bars, decisions }) => bars.time[decisions.start] ?? Infinity)),
        ),
        action: new Uint8Array(benchmark.series.bars.time.length),
      },
    },
  };
}

/** Reads the bars of the requested benchmark over the period of the run; null without one. */
async function readBenchmark(
  { benchmark, ...request }: BacktestRequest,
  ports: Pick<Ports, "symbols" | "bars">,
): Promise<SymbolHistory | null> {
  if (benchmark === undefined) return null;
  const [found] = (await readHistories({ ...request, list: undefined, symbols: [benchmark] }, ports)).read;
  return { ...found!, dividends: await readDividends(found!, ports, request.signal) };
}

/** Rejects parameters that contradict each other; `reads` is true for strategies that read the signal or phase. */
function requireRunnable(request: BacktestRequest, strategy: string, reads: boolean): void {
  const { timeframe, from, to, folds, draws, sweep, symbols, list } = request;
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
    [draws > 0 && list !== undefined, "null_run", "requires a single symbol, not a list"],
    [
      reads && list !== undefined,
      "members",
      `${strategy} reads the signal, which lists do not replay: set symbols`,
    ],
    [folds > 0 && !swept, "folds", "require sweep"],
  ];
  const broken = checks.filter(([isBroken]) => isBroken);
  if (broken.length > 0)
    throw invalidStrategy(broken.map(([, field, message]) => ({ path: [field], message })));
}

const byBars = (a: SymbolHistory, b: SymbolHistory): number =>
  b.series.bars.time.length - a.series.bars.time.length;

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
    { hint: "Use shorter averages or a longer history.", data: { symbol, available: have, required: need } },
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
