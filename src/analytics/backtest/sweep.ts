import { variance } from "../statistics.ts";
import type { Outcome } from "./outcome.ts";
import type { Params } from "./strategies/params.ts";

/** Values to try by parameter, in the given order; the last parameter changes fastest. */
export type Grid = Readonly<Record<string, readonly (number | string)[]>>;

/** Maximum number of combinations of a sweep. */
export const MAX_TRIALS = 2000;
/** Maximum size of a grid, including invalid combinations; larger grids are rejected unchecked. */
const MAX_COMBINATIONS = 100_000;

/** Thrown if a sweep has more combinations than allowed. */
export class TooManyTrials extends RangeError {
  /** Number of combinations in the grid. */
  readonly requested: number;
  readonly limit = MAX_TRIALS;

  constructor(requested: number, validCount: number) {
    const less = validCount < requested ? `, ${validCount} of them valid` : "";
    super(`A sweep tries at most ${MAX_TRIALS} combinations; ${requested} were requested${less}`);
    this.name = "TooManyTrials";
    this.requested = requested;
  }
}

export interface Combinations {
  readonly tried: readonly Params[];
  /** Number of invalid combinations, such as a fast average that is not below its slow one. */
  readonly leftOut: number;
}

/** Returns true if parameters are valid together, such as a fast average below its slow one. */
export type IsValidCombination = (params: Params) => boolean;

/**
 * Returns every combination of a grid's values that `sensible` accepts. A grid without parameters has one combination,
 * a parameter without values none.
 * @throws TooManyTrials if more than 2,000 valid combinations remain
 */
export function combinationsOf(grid: Grid, isValid: IsValidCombination): Combinations {
  const values = Object.values(grid);
  const requested = values.reduce((product, list) => product * list.length, 1);
  if (requested > MAX_COMBINATIONS) throw new TooManyTrials(requested, requested);
  const names = Object.keys(grid);
  const all = names.reduce<readonly Params[]>(
    (made, name) => made.flatMap((params) => grid[name]!.map((value) => ({ ...params, [name]: value }))),
    [{}],
  );
  const tried = all.filter(isValid);
  if (tried.length > MAX_TRIALS) throw new TooManyTrials(requested, tried.length);
  return { tried, leftOut: requested - tried.length };
}

export interface Trial extends Outcome {
  readonly params: Params;
}

export interface Sweep {
  readonly trials: readonly Trial[];
  /** Number of invalid combinations, which were not tried. */
  readonly left_out: number;
  /** Trial with the highest arithmetic Sharpe ratio, the earlier one on a tie; null if no trial has a ratio. */
  readonly best: Trial | null;
  /**
   * Sample variance (over n - 1) of the trials' annualised arithmetic Sharpe ratios; null if fewer than two are
   * defined.
   */
  readonly sharpe_variance: number | null;
}

/**
 * Evaluates every valid combination of a grid. Yields each finished trial, so that the caller can pause or stop. Divide
 * `sharpe_variance` by the trading days per year for the deflated Sharpe ratio of daily returns.
 * @throws TooManyTrials if there are more than 2,000 combinations, before any is tried
 */
export function* sweep(
  grid: Grid,
  evaluate: (params: Params) => Outcome,
  isValid: IsValidCombination,
): Generator<Trial, Sweep, void> {
  const { tried, leftOut } = combinationsOf(grid, isValid);
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

/** Returns the index of the highest value, the first on a tie; null if all are null. */
export function bestOf(values: readonly (number | null)[]): number | null {
  let best: number | null = null;
  for (const [index, value] of values.entries())
    if (value !== null && (best === null || value > values[best]!)) best = index;
  return best;
}

/** Returns the sample variance (over n - 1) of the values that are not null; null if there are fewer than two. */
export function varianceOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length < 2 ? null : variance(known);
}
