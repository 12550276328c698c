import { outcomeOf } from "../../analytics/backtest/outcome.ts";
import { simulate } from "../../analytics/backtest/simulate.ts";
import { checkParams, type Params } from "../../analytics/backtest/strategies/params.ts";
import type { Problem } from "../../analytics/backtest/strategies/problem.ts";
import { STRATEGY_TABLE } from "../../analytics/backtest/strategies/table.ts";
import { type Grid, MAX_TRIALS, sweep, TooManyTrials, type Trial } from "../../analytics/backtest/sweep.ts";
import type { Account, Stream } from "../../analytics/backtest/types.ts";
import { type WalkForward, walkForward } from "../../analytics/backtest/walk-forward.ts";
import { sliceBars } from "../../domain/market/bars.ts";
import { ToolError } from "../../kernel/errors.ts";
import { isBusy, yieldToEventLoop } from "../../lib/event-loop.ts";
import { type BacktestRequest, invalidField, invalidStrategy, type StrategyPlan } from "./plan.ts";

const MAX_BEST = 10;
/** Maximum number of values of one parameter. */
const MAX_VALUES = 1_000;
/** Maximum number of runs and bars between yields to the event loop. */
const STEP_LIMITS = { runs: 20, bars: 100_000 } as const;

interface SweepOptions extends Pick<BacktestRequest, "signal" | "progress" | "folds"> {
  readonly plan: StrategyPlan;
  readonly grid: NonNullable<BacktestRequest["sweep"]>;
  readonly account: Account;
  /** Trading days per year. */
  readonly year: number;
  readonly streamsFor: (params: Params) => readonly Stream[];
  /** Number of bars, by symbol. */
  readonly counts: readonly number[];
}

export interface SweepResult {
  readonly trials: number;
  /** Every trial, in the order of the grid. */
  readonly all: readonly Trial[];
  readonly invalidCount: number;
  readonly best: Trial | null;
  /** The ten best trials. */
  readonly top: readonly Trial[];
  readonly walkForward: WalkForward | null;
}

/**
 * Runs every combination of parameters and, with folds, a walk-forward test. @throws ToolError INVALID_INPUT for
 * invalid values or more than 2,000 combinations
 */
export async function runSweep(options: SweepOptions): Promise<SweepResult> {
  const { plan, grid: written, folds, account, year, streamsFor, signal, progress, counts } = options;
  const bars = counts.reduce((sum, count) => sum + count, 0);
  const pace = Math.max(1, Math.min(STEP_LIMITS.runs, Math.floor(STEP_LIMITS.bars / bars)));
  const grid = gridOf(plan, written);
  const of = (params: Params): Params => ({ ...plan.params, ...params });
  const isValid = (params: Params): boolean =>
    isValidCombination(plan, of(params)) && plan.minBars(of(params)) <= Math.min(...counts);
  try {
    const total = Object.values(grid).reduce((product, list) => product * list.length, 1);
    const evaluate = (params: Params) =>
      outcomeOf(simulate(streamsFor(of(params)), account), account.cash, year);
    const found = await runInSteps(
      sweep(grid, evaluate, isValid),
      (done) => progress({ done, total, message: "combinations tried" }),
      { signal, pace },
    );
    if (found.trials.length === 0)
      throw invalidField(
        ["sweep"],
        `none of its ${found.left_out} combinations has compatible values and enough bars`,
      );
    return {
      trials: found.trials.length,
      all: found.trials,
      invalidCount: found.left_out,
      best: found.best,
      top: found.trials
        .filter((trial) => trial.sharpe_arithmetic !== null)
        .sort((a, b) => b.sharpe_arithmetic! - a.sharpe_arithmetic!)
        .slice(0, MAX_BEST),
      walkForward: folds === 0 ? null : await forward(),
    };
  } catch (cause) {
    if (cause instanceof TooManyTrials) throw tooManyCombinations(cause.requested);
    throw cause;
  }

  function forward(): Promise<WalkForward> {
    const from = account.from ?? Number.NEGATIVE_INFINITY;
    const times = new Set(streamsFor(plan.params).flatMap(({ bars }) => [...bars.time]));
    const time = Float64Array.from([...times].filter((at) => at >= from)).sort();
    const runs = walkForward({
      time,
      grid,
      cash: account.cash,
      year,
      folds,
      isValid,
      horizon: (params) => plan.minBars(of(params)),
      evaluate: (params, window) =>
        simulate(
          streamsFor(of(params)).map((stream) => endedAt(stream, window.to)),
          { ...account, from: window.from },
        ),
    });
    return runInSteps(runs, (_, { done, of }) => progress({ done, total: of, message: "folds walked" }), {
      signal,
      pace,
    });
  }
}

/** Runs a generator to its end. Reports progress after every `pace` runs, and yields to the event loop in between. */
async function runInSteps<Y, T>(
  runs: Generator<Y, T, void>,
  progress: (done: number, step: Y) => void,
  { signal, pace }: { readonly signal: AbortSignal; readonly pace: number },
): Promise<T> {
  for (let done = 1; ; done++) {
    const step = runs.next();
    if (step.done) return step.value;
    if (done % pace === 0) {
      signal.throwIfAborted();
      progress(done, step.value);
    } else if (!isBusy()) continue;
    await yieldToEventLoop();
  }
}

function endedAt(stream: Stream, to: number): Stream {
  const { bars, decisions } = stream;
  const found = bars.time.findIndex((time) => time >= to);
  const end = found === -1 ? bars.time.length : found;
  return {
    ...stream,
    bars: sliceBars(bars, 0, end),
    decisions: {
      start: decisions.start,
      action: decisions.action.subarray(0, end),
      ...(decisions.stop !== undefined && { stop: decisions.stop.subarray(0, end) }),
      ...(decisions.target !== undefined && { target: decisions.target.subarray(0, end) }),
    },
  };
}

function isValidCombination({ strategy }: StrategyPlan, params: Params): boolean {
  if (strategy === "rules") return true;
  return (STRATEGY_TABLE[strategy].conflict?.(params) ?? null) === null;
}

/** Parses the values of each parameter: `5,10,20`, `5..50` or `5..50:5`. @throws ToolError INVALID_INPUT */
function gridOf({ strategy }: StrategyPlan, written: SweepOptions["grid"]): Grid {
  if (strategy === "rules") throw invalidField(["sweep"], "rules have no parameters to sweep");
  const takes = STRATEGY_TABLE[strategy].params;
  const problems: Problem[] = [];
  const grid: Record<string, readonly (number | string)[]> = {};
  for (const [name, text] of Object.entries(written)) {
    const path = ["sweep", name];
    const listed = valuesOf(text);
    if (listed === null) {
      const message = `"${text}" is neither a list such as 5,10,20 nor a range such as 5..50:5`;
      problems.push({ path, message });
      continue;
    }
    const values = [...new Set(listed)];
    if (values.length > MAX_VALUES) {
      problems.push({ path, message: `has ${values.length} values; the maximum is ${MAX_VALUES}` });
      continue;
    }
    const param = Object.hasOwn(takes, name) ? { [name]: takes[name as keyof typeof takes]! } : takes;
    const checks = values.map((value) => checkParams(param, { [name]: value }));
    const wrong = checks.find((checked) => "problems" in checked);
    if (wrong !== undefined) problems.push(...wrong.problems.map(({ message }) => ({ path, message })));
    grid[name] = values;
  }
  if (Object.keys(written).length === 0)
    problems.push({ path: ["sweep"], message: "must name at least one parameter" });
  if (problems.length > 0) throw invalidStrategy(problems);
  return grid;
}

const NUMBER = String.raw`-?\d{1,9}(?:\.\d{1,9})?`;
const RANGE = new RegExp(`^(${NUMBER})\\.\\.(${NUMBER})(?::(${NUMBER}))?$`);
const SINGLE_VALUE = new RegExp(`^${NUMBER}$`);

function valuesOf(text: string): readonly (number | string)[] | null {
  const range = RANGE.exec(text.trim());
  if (range !== null) {
    const [first, last, step] = [Number(range[1]), Number(range[2]), Number(range[3] ?? 1)];
    const count = Math.floor((last - first) / step + 1e-9) + 1;
    if (!(step > 0 && count >= 1)) return null;
    // one value more than allowed is enough to detect that there are too many
    return Array.from({ length: Math.min(count, MAX_VALUES + 1) }, (_, i) =>
      Number((first + i * step).toPrecision(12)),
    );
  }
  const items = text.split(",").map((item) => item.trim());
  if (items.some((item) => item === "")) return null;
  return items.map((item) => (SINGLE_VALUE.test(item) ? Number(item) : item));
}

const tooManyCombinations = (requested: number): ToolError =>
  new ToolError("INVALID_INPUT", `The sweep has ${requested} combinations; the maximum is ${MAX_TRIALS}`, {
    hint: "Use larger steps, such as 5..50:5, or sweep fewer parameters.",
    data: {
      requested,
      limit: MAX_TRIALS,
      errors: [{ pointer: "/sweep", detail: `has ${requested} combinations, at most ${MAX_TRIALS}` }],
    },
  });
