import { type Bars, sliceBars } from "../../domain/market/bars.ts";
import { suspectedSplitsWithin } from "../backtest/splits.ts";
import { driverContext } from "../drivers/context.ts";
import type { Facts } from "../drivers/facts.ts";
import type { Universe } from "../drivers/relative-strength.ts";
import { stageAfter, weeksOf } from "../indicators/weinstein-stage.ts";
import { type ConsensusInput, driversOf, levelsOf } from "./consensus.ts";
import { mayHaveSplits } from "./split-fault.ts";
import { gradeRank, type SignalTape } from "./tape-columns.ts";
import { MIN_SCORE_BARS, scoreDrivers } from "./verdict.ts";

/** Number of closed bars behind each value of a tape, as in the live signal. */
export const TAPE_BARS = 500;
/** Fault of a window with a suspected split, which no tape shows. */
const UNADJUSTED = "possibly an unadjusted split";

/** Full histories; the values at a bar use no data that began after it. */
export interface TapeInput extends Pick<ConsensusInput, "bars" | "assetClass" | "benchmark" | "isBenchmark"> {
  /** Other members of the same sector, on the calendar of the bars. */
  readonly peers: readonly Bars[];
  /** Returns the universe in which momentum is ranked on the bar that starts at `time`, as known at its close. */
  readonly universeAt: (time: number) => Universe | null;
  /** Returns the drivers that are not computed from bars, as known at the close of the bar that starts at `time`. */
  readonly factsAt?: (time: number) => Facts;
}

export interface TapeOptions {
  /** Index of the first bar to compute. Default: 0. */
  readonly from?: number;
  /** Ids of the drivers to return as columns. */
  readonly drivers?: readonly string[];
}

/** An incremental computation of a tape. */
export interface TapeWriter {
  /** Filled from the first requested bar up to the current write position. */
  readonly tape: SignalTape;
  /** Computes up to `count` more bars; returns true once all are done. */
  step(count: number): boolean;
}

/**
 * Returns the consensus at the close of every bar, identical bit for bit: score, grade, direction and the requested
 * drivers, each from the last 500 bars up to its own. Before `from`, and without a score, the values are NaN, 0 and 0;
 * drivers have values from `from` on.
 */
export function signalTape(input: TapeInput, options: TapeOptions = {}): SignalTape {
  const writer = tapeWriter(input, options);
  writer.step(Number.POSITIVE_INFINITY);
  return writer.tape;
}

/** Returns a writer that computes the same tape in steps, so that the caller can do other work in between. */
export function tapeWriter(
  input: TapeInput,
  { from = 0, drivers: wanted = [] }: TapeOptions = {},
): TapeWriter {
  const { bars } = input;
  const n = bars.time.length;
  const scored = Math.max(from, MIN_SCORE_BARS - 1);
  const drivers = Object.fromEntries(wanted.map((id) => [id, new Float64Array(n).fill(Number.NaN)]));
  const tape: SignalTape = {
    first: Math.min(n, scored),
    score: new Float64Array(n).fill(Number.NaN),
    grade: new Uint8Array(n),
    direction: new Int8Array(n),
    ...(wanted.length > 0 && { drivers }),
  };
  const stageAt = stagesOver(bars);
  const splitsWithin = mayHaveSplits(bars) ? suspectedSplitsWithin(bars) : () => [];
  const benchmarkAt = input.benchmark === null ? () => null : upTo(input.benchmark);
  let next = Math.max(0, wanted.length > 0 ? from : scored);

  function read(at: number): void {
    const time = bars.time[at]!;
    const start = Math.max(0, at + 1 - TAPE_BARS);
    const context = driverContext(sliceBars(bars, start, at + 1), input.assetClass, stageAt(start, at));
    const { factsAt, universeAt, ...same } = input;
    const split = splitsWithin(start, at).at(-1);
    const readings = driversOf(
      {
        ...same,
        bars: context.bars,
        benchmark: benchmarkAt(time),
        universe: universeAt(time),
        ...(factsAt !== undefined && { facts: factsAt(time) }),
      },
      context,
    );
    const { score, grade, direction } = scoreDrivers(
      readings,
      context.n,
      levelsOf(context, input.assetClass, split && split.index - start),
      split === undefined ? null : UNADJUSTED,
    );
    tape.score[at] = score ?? Number.NaN;
    tape.grade[at] = gradeRank(grade);
    tape.direction[at] = direction === "WAIT" ? 0 : direction === "LONG" ? 1 : -1;
    for (const { id, value } of readings)
      if (drivers[id] !== undefined) drivers[id][at] = value ?? Number.NaN;
  }

  return {
    tape,
    step(count) {
      const end = Math.min(n, next + count);
      for (; next < end; next++) read(next);
      return next >= n;
    },
  };
}

/**
 * Returns a function that gives Weinstein's stage at bar `at` from the weeks since `start`; called for consecutive
 * bars, it computes each week once.
 */
function stagesOver(bars: Bars): (start: number, at: number) => number {
  const { closes, week } = weeksOf(bars);
  let [first, last, stage] = [-1, -1, Number.NaN];
  return (start, at) => {
    if (week[start] !== first || week[at] !== last) {
      [first, last] = [week[start]!, week[at]!];
      stage = stageAfter(closes.subarray(first, last));
    }
    return stage;
  };
}

/**
 * Returns a function that gives the newest bars up to the one that starts at `time`; times must ascend from call to
 * call.
 */
function upTo(bars: Bars): (time: number) => Bars {
  let end = 0;
  return (time) => {
    while (end < bars.time.length && bars.time[end]! <= time) end++;
    return sliceBars(bars, Math.max(0, end - TAPE_BARS), end);
  };
}
