import type { Bars } from "../../domain/market/bars.ts";
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
  /** Trading days a year. */
  readonly year: number;
  readonly seed: number;
  /** 1 to 100. */
  readonly draws?: number;
}

/** Rank of one figure of the real run among the shuffled runs. */
export interface Rank {
  /** Of the real run. */
  readonly value: number;
  /** Shuffled runs that did at least as well. */
  readonly at_least: number;
  /** (at_least + 1) / (draws + 1): the chance, 0-1, of such a result where order means nothing. */
  readonly share: number;
  /** Of the shuffled runs. */
  readonly mean: number;
}

export interface NullRun {
  readonly draws: number;
  /** Null where the real run has no Sharpe ratio. A shuffled run without one counts as 0. */
  readonly sharpe_arithmetic: Rank | null;
  readonly return_pct: Rank;
  /** Why a rank is null, or null. */
  readonly reason: string | null;
}

/**
 * Runs the strategy on histories with the same daily returns in another order, which keeps drift and distribution and
 * destroys any pattern. Yields the outcome of each draw, so that a caller may pause or stop; returns the rank of the
 * real run among them.
 * @throws RangeError on a number of draws that is not a whole one of 1 to 100
 * @see B. V. North, D. Curtis and P. C. Sham, "A note on the calculation of empirical P values", 2002
 */
export function* nullRun(options: NullRunOptions): Generator<Outcome, NullRun, void> {
  const { bars, account, seed, draws = NULL_DRAWS } = options;
  if (!Number.isInteger(draws) || draws < 1 || draws > MAX_NULL_DRAWS)
    throw new RangeError(`A null run makes 1 to ${MAX_NULL_DRAWS} draws, not ${draws}`);
  const real = run(options, bars);
  const random = seededRandom(seed);
  const outcomes: Outcome[] = [];
  for (let draw = 0; draw < draws; draw++) {
    const outcome = run(options, shuffledBars(bars, random, account.from));
    outcomes.push(outcome);
    yield outcome;
  }
  const sharpe = real.sharpe_arithmetic;
  return {
    draws,
    sharpe_arithmetic:
      sharpe === null
        ? null
        : rankOf(
            sharpe,
            outcomes.map((outcome) => outcome.sharpe_arithmetic ?? 0),
          ),
    return_pct: rankOf(
      real.return_pct,
      outcomes.map((outcome) => outcome.return_pct),
    ),
    reason: sharpe === null ? "Equity did not move, so there is no Sharpe ratio" : null,
  };
}

function run({ symbol, strategy, account, year }: NullRunOptions, bars: Bars): Outcome {
  return outcomeOf(simulate([{ symbol, bars, decisions: strategy(bars) }], account), account.cash, year);
}

function rankOf(value: number, drawn: readonly number[]): Rank {
  const atLeast = drawn.filter((other) => other >= value).length;
  return {
    value,
    at_least: atLeast,
    share: (atLeast + 1) / (drawn.length + 1),
    mean: drawn.reduce((sum, other) => sum + other, 0) / drawn.length,
  };
}

/**
 * Bars whose moves from close to close come in another order, each with the gap, the range and the volume of its own
 * bar; times, the first bar and the last close stay the same. Bars before `from` (epoch ms) are shuffled among themselves, so
 * that the ones that are traded keep the return of holding them.
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

  const out = {
    open: Float64Array.from(bars.open),
    high: Float64Array.from(bars.high),
    low: Float64Array.from(bars.low),
    close: Float64Array.from(bars.close),
    volume: Float64Array.from(bars.volume),
  };
  for (let i = 1; i < count; i++) {
    const bar = source[i]!;
    const base = out.close[i - 1]! / bars.close[bar - 1]!;
    out.open[i] = base * bars.open[bar]!;
    out.high[i] = base * bars.high[bar]!;
    out.low[i] = base * bars.low[bar]!;
    out.close[i] = base * bars.close[bar]!;
    out.volume[i] = bars.volume[bar]!;
  }
  return { ...bars, ...out };
}
