import { lookAhead } from "../../analytics/backtest/look-ahead.ts";
import { type NullRun, type NullRunOptions, nullRun } from "../../analytics/backtest/null-run.ts";
import type { Params } from "../../analytics/backtest/strategies/params.ts";
import type { Decisions } from "../../analytics/backtest/types.ts";
import type { SignalTape } from "../../analytics/score/tape-columns.ts";
import type { Bars } from "../../domain/market/bars.ts";
import { yieldToEventLoop } from "../../lib/event-loop.ts";
import type { SymbolHistory } from "./histories.ts";
import type { BacktestRequest, StrategyPlan } from "./plan.ts";
import type { SignalTapes } from "./tapes.ts";

/**
 * Number of bars at which decisions and signals are recomputed. Longer series get fewer decisions, so that a series is
 * recomputed over at most about `totalBars` bars, but never fewer than `minDecisions`.
 */
const REPLAY_LIMITS = { decisions: 60, minDecisions: 6, signals: 10, totalBars: 200_000 } as const;

/** A decision or signal value that depends on later bars. */
export interface LookAheadChange {
  readonly symbol: string;
  /** Name of the value: action, stop, score ... */
  readonly field: string;
  /** Start of the bar, epoch ms. */
  readonly time: number;
}

interface ReplayInput {
  readonly read: readonly SymbolHistory[];
  readonly plan: StrategyPlan;
  readonly params: Params;
  readonly tapes: SignalTapes | null;
  readonly signal: AbortSignal;
}

/**
 * Finds the first value that depends on later bars; null for none. Recomputes decisions and signals on truncated
 * series.
 */
export async function findLookAhead(input: ReplayInput): Promise<LookAheadChange | null> {
  const { read, plan, params, tapes, signal } = input;
  for (const { instrument, series } of read) {
    const { symbol } = instrument;
    const tape = tapes?.of(symbol);
    const cuts = Math.min(
      REPLAY_LIMITS.decisions,
      Math.floor(REPLAY_LIMITS.totalBars / series.bars.time.length),
    );
    const found = lookAhead(strategyOf(plan, params, tape), series.bars, {
      cuts: Math.max(REPLAY_LIMITS.minDecisions, Math.ceil(cuts / read.length)),
    });
    if (found !== null) return { symbol, field: found.field, time: found.time };
    signal.throwIfAborted();
    await yieldToEventLoop();
    if (tapes === null || tape === undefined) continue;
    const count = Math.ceil(REPLAY_LIMITS.signals / read.length);
    for (const bar of evenlySpaced(tape.first, series.bars.time.length, count)) {
      const field = firstDifference(tape, tapes.endedAt(symbol, bar), bar);
      if (field !== null) return { symbol, field, time: series.bars.time[bar]! };
      await yieldToEventLoop();
    }
  }
  return null;
}

/** Returns the strategy of a plan as a function of bars; it reads as many values of the tape as there are bars. */
export const strategyOf =
  (plan: StrategyPlan, params: Params, tape?: SignalTape) =>
  (bars: Bars): Decisions =>
    plan.decide(bars, tape && tapeUpTo(tape, bars.time.length), params);

/** Runs the strategy on shuffled returns. */
export async function nullRunOf(
  options: NullRunOptions,
  { signal, progress, draws }: Pick<BacktestRequest, "signal" | "progress" | "draws">,
): Promise<NullRun> {
  const runs = nullRun(options);
  for (let done = 0; ; done++) {
    const step = runs.next();
    if (step.done) return step.value;
    signal.throwIfAborted();
    progress({ done, total: draws, message: "shuffled runs" });
    await yieldToEventLoop();
  }
}

/** Returns at most `count` evenly spaced indexes from `first` to `end - 1`, both included. */
function evenlySpaced(first: number, end: number, count: number): readonly number[] {
  if (end <= first) return [];
  const step = Math.max(1, (end - 1 - first) / Math.max(1, count - 1));
  const indexes = Array.from({ length: count }, (_, i) => Math.round(first + i * step));
  return [...new Set(indexes.filter((index) => index < end))];
}

function firstDifference(tape: SignalTape, recomputed: SignalTape, bar: number): string | null {
  for (const field of ["score", "grade", "direction"] as const)
    if (!Object.is(tape[field][bar], recomputed[field][bar])) return field;
  for (const [id, column] of Object.entries(tape.drivers ?? {}))
    if (!Object.is(column[bar], recomputed.drivers?.[id]?.[bar])) return id;
  return tape.phase?.[bar] === recomputed.phase?.[bar] ? null : "phase";
}

/** Truncates a tape to its first `count` bars. */
function tapeUpTo(tape: SignalTape, count: number): SignalTape {
  const { first, score, grade, direction, drivers, phase } = tape;
  return {
    first: Math.min(count, first),
    score: score.slice(0, count),
    grade: grade.slice(0, count),
    direction: direction.slice(0, count),
    ...(drivers !== undefined && {
      drivers: Object.fromEntries(
        Object.entries(drivers).map(([id, column]) => [id, column.slice(0, count)]),
      ),
    }),
    ...(phase !== undefined && { phase: phase.slice(0, count) }),
  };
}
