import type { BacktestResult } from "../../domain/backtest/backtest.ts";
import { type Bars, mapColumns } from "../../domain/market/bars.ts";
import { mean } from "../statistics.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { type Random, seededRandom, shuffled } from "./random.ts";
import { simulate } from "./simulate.ts";
import type { Account, Strategy } from "./types.ts";

/** Default and maximum number of shuffled histories. */
export const NULL_DRAWS = 20;
export const MAX_NULL_DRAWS = 100;

export interface NullRunOptions {
  readonly symbol: string;
  readonly bars: Bars;
  readonly strategy: Strategy;
  readonly account: Account;
  /** Trading days per year. */
  readonly year: number;
  readonly seed: number;
  /** Number of shuffled histories, 1 to 100. Default: 20. */
  readonly draws?: number;
}

/** Ranks of the real run among the shuffled ones. */
export type NullRun = NonNullable<BacktestResult["null_run"]>;

/**
 * Runs the strategy on histories with the bars' moves in random order, which preserves drift and distribution and
 * destroys any pattern. Yields the outcome of each draw, so that the caller can pause or stop; returns the rank of the
 * real run among them.
 * @throws RangeError unless `draws` is an integer from 1 to 100
 * @see B. V. North, D. Curtis and P. C. Sham, "A note on the calculation of empirical P values", 2002
 */
export function* nullRun(options: NullRunOptions): Generator<Outcome, NullRun, void> {
  const { bars, account, seed, draws = NULL_DRAWS } = options;
  if (!Number.isInteger(draws) || draws < 1 || draws > MAX_NULL_DRAWS)
    throw new RangeError(`draws must be an integer from 1 to ${MAX_NULL_DRAWS}, not ${draws}`);
  const real = run(options, bars);
  const random = seededRandom(seed);
  const outcomes: Outcome[] = [];
  for (let draw = 0; draw < draws; draw++) {
    const outcome = run(options, shuffledBars(bars, random, account.from));
    outcomes.push(outcome);
    yield outcome;
  }
  const sharpe = real.sharpe_arithmetic;
  // a shuffled run without a Sharpe ratio counts as 0
  const sharpes = outcomes.map((outcome) => outcome.sharpe_arithmetic ?? 0);
  const returns = outcomes.map((outcome) => outcome.return_pct);
  return {
    draws,
    sharpe_arithmetic: sharpe === null ? null : rankOf(sharpe, sharpes),
    return_pct: rankOf(real.return_pct, returns),
  };
}

function run({ symbol, strategy, account, year }: NullRunOptions, bars: Bars): Outcome {
  return outcomeOf(simulate([{ symbol, bars, decisions: strategy(bars) }], account), account.cash, year);
}

function rankOf(value: number, drawn: readonly number[]): NullRun["return_pct"] {
  const atLeast = drawn.filter((other) => other >= value).length;
  return {
    value,
    at_least: atLeast,
    share: (atLeast + 1) / (drawn.length + 1),
    mean: mean(drawn),
  };
}

/**
 * Returns bars with their close-to-close moves in random order; each move keeps its gap, range and volume.
 * Times, the first bar and the last close are unchanged. Bars before `from` (epoch ms) are shuffled among themselves,
 * so that the traded bars have the same buy-and-hold return.
 */
export function shuffledBars(bars: Bars, random: Random, from = Number.NEGATIVE_INFINITY): Bars {
  const count = bars.time.length;
  const early = bars.time.findIndex((time) => time >= from);
  const split = Math.max(1, early === -1 ? count : early);
  const source = new Uint32Array(count);
  for (const [start, end] of [
    [1, split],
    [split, count],
  ] as const)
    if (end > start)
      source.set(
        shuffled(end - start, random).map((k) => k + start),
        start,
      );

  const out = mapColumns(bars, (column, name) => (name === "time" ? column : column.slice()));
  for (let i = 1; i < count; i++) {
    const bar = source[i]!;
    const base = out.close[i - 1]! / bars.close[bar - 1]!;
    out.open[i] = base * bars.open[bar]!;
    out.high[i] = base * bars.high[bar]!;
    out.low[i] = base * bars.low[bar]!;
    out.close[i] = base * bars.close[bar]!;
    out.volume[i] = bars.volume[bar]!;
  }
  return out;
}
