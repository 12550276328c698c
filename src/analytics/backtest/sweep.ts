import { variance } from "../statistics.ts";
import type { Outcome } from "./outcome.ts";
import type { Params } from "./strategies/params.ts";

/** Values to try, by parameter; tried in the order given, the last parameter changing fastest. */
export type Grid = Readonly<Record<string, readonly (number | string)[]>>;

/** Combinations one sweep may try. */
export const MAX_TRIALS = 2000;
/** Combinations looked through for those that go together; more are refused unseen. */
const MAX_COMBINATIONS = 100_000;

/** Thrown if a sweep has more combinations than its limit. */
export class TooManyTrials extends RangeError {
  /** All combinations of the grid. */
  readonly requested: number;
  readonly limit = MAX_TRIALS;

  constructor(requested: number, sensible: number) {
    const less = sensible < requested ? `, ${sensible} of them valid` : "";
    super(`A sweep tries at most ${MAX_TRIALS} combinations; ${requested} were requested${less}`);
    this.name = "TooManyTrials";
    this.requested = requested;
  }
}

export interface Combinations {
  readonly tried: readonly Params[];
  /** Combinations whose values do not go together, such as a fast average that is not below its slow one. */
  readonly leftOut: number;
}

/** Returns true if parameters are valid together, such as a fast average below its slow one. */
export type Sensible = (params: Params) => boolean;

/**
 * Every combination of a grid's values that is `sensible`. A grid without parameters has one, a parameter without
 * values none.
 * @throws TooManyTrials where more than 2,000 are left
 */
export function combinationsOf(grid: Grid, sensible: Sensible): Combinations {
  const values = Object.values(grid);
  const requested = values.reduce((product, list) => product * list.length, 1);
  if (requested > MAX_COMBINATIONS) throw new TooManyTrials(requested, requested);
  const names = Object.keys(grid);
  const all = names.reduce<readonly Params[]>(
    (made, name) => made.flatMap((params) => grid[name]!.map((value) => ({ ...params, [name]: value }))),
    [{}],
  );
  const tried = all.filter(sensible);
  if (tried.length > MAX_TRIALS) throw new TooManyTrials(requested, tried.length);
  return { tried, leftOut: requested - tried.length };
}

export interface Trial extends Outcome {
  readonly params: Params;
}

export interface Sweep {
  readonly trials: readonly Trial[];
  /** Combinations whose values do not go together, which were not tried. */
  readonly left_out: number;
  /** Of the highest arithmetic Sharpe ratio, the earlier where two are alike; null where none is defined. */
  readonly best: Trial | null;
  /** Of the trials' arithmetic Sharpe ratios over a year, over n - 1; null where fewer than two are defined. */
  readonly sharpe_variance: number | null;
}

/**
 * What every combination of a grid comes to. Yields each trial as it is done, so that a caller may rest or leave
 * between them. `sensible` filters out invalid combinations. Divide `sharpe_variance` by the trading days a year for the
 * deflated Sharpe ratio of daily returns.
 * @throws TooManyTrials on more than 2,000 combinations, before any is tried
 */
export function* sweep(
  grid: Grid,
  evaluate: (params: Params) => Outcome,
  sensible: Sensible,
): Generator<Trial, Sweep, void> {
  const { tried, leftOut } = combinationsOf(grid, sensible);
  const trials: Trial[] = [];
  for (const params of tried) {
    const trial = { params, ...evaluate(params) };
    trials.push(trial);
    yield trial;
  }
  const ratios = trials.map((trial) => trial.sharpe_arithmetic);
  const best = bestOf(ratios);
  return {
    trials,
    left_out: leftOut,
    best: best === null ? null : trials[best]!,
    sharpe_variance: varianceOf(ratios),
  };
}

/** Index of the highest value, the first where several are; null where none is known. */
export function bestOf(values: readonly (number | null)[]): number | null {
  let best: number | null = null;
  for (const [index, value] of values.entries())
    if (value !== null && (best === null || value > values[best]!)) best = index;
  return best;
}

/** Sample variance of the values that are known, over n - 1; null where fewer than two are. */
export function varianceOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length < 2 ? null : variance(known);
}
