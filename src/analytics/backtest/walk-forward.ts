import { mean, sum } from "../statistics.ts";
import { annualSharpe } from "./moments.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { dailyReturns } from "./returns.ts";
import type { Params } from "./strategies/params.ts";
import { bestOf, combinationsOf, type Grid, type IsValidCombination } from "./sweep.ts";
import type { Ledger } from "./types.ts";

/** Minimum numbers of in-sample and out-of-sample bars of a fold. */
export const MIN_IN_SAMPLE_BARS = 60;
export const MIN_OUT_OF_SAMPLE_BARS = 20;

/** Range of traded bars by their start in epoch ms; `to` is excluded. Earlier bars serve as warm-up. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

export interface WalkForwardOptions {
  /** Starts of the bars that may be traded, epoch ms, ascending. */
  readonly time: Float64Array;
  readonly grid: Grid;
  /**
   * Runs one combination, starting with `cash`, over a window; must not use bars at or after `to`. Results before a bar
   * must not depend on the end of the window.
   */
  readonly evaluate: (params: Params, window: Window) => Ledger;
  /** Starting cash, USD. */
  readonly cash: number;
  /** Trading days per year. */
  readonly year: number;
  /** Number of folds, at least 2. */
  readonly folds: number;
  /** Returns the number of bars that a combination's indicators or trades span. */
  readonly horizon: (params: Params) => number;
  readonly isValid: IsValidCombination;
}

export type OutOfSample = Omit<Outcome, "max_drawdown">;

export interface Fold {
  /** Starts of the first and the last out-of-sample bar, epoch ms. */
  readonly from: number;
  readonly to: number;
  /** Start of the last in-sample bar, epoch ms. */
  readonly in_sample_to: number;
  /**
   * Combination with the best in-sample arithmetic Sharpe ratio; null if none has a ratio, in which case the fold is
   * not traded.
   */
  readonly params: Params | null;
  readonly in_sample_sharpe: number | null;
  readonly out_of_sample: OutOfSample | null;
}

export interface WalkForward {
  readonly folds: readonly Fold[];
  /** Bars between in-sample and out-of-sample: the purge is the longest horizon, the embargo 1 % of all bars. */
  readonly purge: number;
  readonly embargo: number;
  /** Result of all out-of-sample tests compounded; null if nothing was traded. */
  readonly out_of_sample: OutOfSample | null;
  /**
   * Out-of-sample Sharpe ratio over the mean in-sample one; null unless both are defined and the in-sample mean is
   * positive.
   */
  readonly ratio: number | null;
  /** Why a value is null; null if none is. */
  readonly reason: string | null;
}

/** Number of runs finished, and in total. */
export interface Progress {
  readonly done: number;
  readonly of: number;
}

/**
 * Chooses a grid's best parameters in-sample and tests them on the following bars, fold by fold. The bars are divided
 * into `folds` + 1 parts; every part but the first is tested with the parameters that were best from the first bar up
 * to a gap of purge and embargo before it (anchored). Yields after every run, so that the caller can pause or stop.
 * @throws TooManyTrials if there are more than 2,000 combinations; RangeError if there are fewer than 2 folds
 * @see M. López de Prado, "Advances in financial machine learning", 2018, chapters 7 and 12
 */
export function* walkForward(options: WalkForwardOptions): Generator<Progress, WalkForward, void> {
  const { time, grid, evaluate, cash, year, folds: count } = options;
  if (!Number.isInteger(count) || count < 2)
    throw new RangeError(`folds must be an integer of at least 2, not ${count}`);
  const { tried } = combinationsOf(grid, options.isValid);
  const purge = tried.reduce((most, params) => Math.max(most, Math.ceil(options.horizon(params))), 0);
  const embargo = Math.ceil(time.length / 100);
  const cuts = cutsOf(time.length, count, purge + embargo);
  if (cuts === null)
    return {
      folds: [],
      purge,
      embargo,
      out_of_sample: null,
      ratio: null,
      reason: `${time.length} bars are too few for ${count} folds: each needs at least ${MIN_IN_SAMPLE_BARS} in-sample bars, a gap of ${purge + embargo} and at least ${MIN_OUT_OF_SAMPLE_BARS} out-of-sample bars`,
    };

  const of = tried.length + count;
  const longest = { from: time[0]!, to: time[cuts.at(-1)!.chosen]! };
  const ratios: (number | null)[][] = [];
  for (const params of tried) {
    const ledger = evaluate(params, longest);
    ratios.push(cuts.map(({ chosen }) => sharpeBefore(ledger, time[chosen]!, year)));
    yield { done: ratios.length, of };
  }

  const folds: Fold[] = [];
  const tests: Ledger[] = [];
  for (const [index, { chosen, start, end }] of cuts.entries()) {
    const best = bestOf(ratios.map((row) => row[index]!));
    const params = best === null ? null : tried[best]!;
    const window = { from: time[start]!, to: time[end] ?? Number.POSITIVE_INFINITY };
    const ledger = params === null ? null : evaluate(params, window);
    if (ledger !== null) tests.push(ledger);
    folds.push({
      from: window.from,
      to: time[end - 1]!,
      in_sample_to: time[chosen - 1]!,
      params,
      in_sample_sharpe: best === null ? null : ratios[best]![index]!,
      out_of_sample: ledger === null ? null : testOf(ledger, cash, year),
    });
    yield { done: tried.length + index + 1, of };
  }
  return { folds, purge, embargo, ...together(folds, tests, cash, year) };
}

interface Cut {
  /** End of the in-sample bars, excluded. */
  readonly chosen: number;
  /** Start of the out-of-sample bars, which run up to but excluding `end`. */
  readonly start: number;
  readonly end: number;
}

function cutsOf(bars: number, count: number, gap: number): readonly Cut[] | null {
  const at = (part: number) => Math.floor((bars * part) / (count + 1));
  const cuts = Array.from({ length: count }, (_, fold) => ({
    chosen: at(fold + 1) - gap,
    start: at(fold + 1),
    end: at(fold + 2),
  }));
  const enough = cuts.every(
    ({ chosen, start, end }) => chosen >= MIN_IN_SAMPLE_BARS && end - start >= MIN_OUT_OF_SAMPLE_BARS,
  );
  return enough ? cuts : null;
}

/** Returns the annualised arithmetic Sharpe ratio of the bars before `end` (epoch ms); null if undefined. */
function sharpeBefore(ledger: Ledger, end: number, year: number): number | null {
  const last = ledger.time.findIndex((time) => time >= end);
  const count = last === -1 ? ledger.time.length : last;
  const before = { time: ledger.time.subarray(0, count), equity: ledger.equity.subarray(0, count) };
  return annualSharpe(dailyReturns(before), year);
}

function testOf(ledger: Ledger, cash: number, year: number): OutOfSample {
  const { max_drawdown: _, ...outcome } = outcomeOf(ledger, cash, year);
  return outcome;
}

function together(
  folds: readonly Fold[],
  tests: readonly Ledger[],
  cash: number,
  year: number,
): Pick<WalkForward, "out_of_sample" | "ratio" | "reason"> {
  if (tests.length === 0)
    return { out_of_sample: null, ratio: null, reason: "Equity did not move in-sample with any combination" };
  const returns = Float64Array.from(tests.flatMap((ledger) => [...dailyReturns(ledger)]));
  const sharpe = annualSharpe(returns, year);
  const growth = tests.reduce((product, ledger) => product * ((ledger.equity.at(-1) ?? cash) / cash), 1);
  const inSample = mean(folds.flatMap((fold) => fold.in_sample_sharpe ?? []));
  const ratio = sharpe !== null && inSample > 0 ? sharpe / inSample : null;
  return {
    out_of_sample: {
      return_pct: 100 * (growth - 1),
      sharpe_arithmetic: sharpe,
      trade_count: sum(tests.map(({ trades }) => trades.length)),
    },
    ratio,
    reason:
      sharpe === null
        ? "Equity did not move out of sample"
        : ratio === null
          ? "The mean in-sample Sharpe ratio is not positive"
          : null,
  };
}
