import { type Bars, sliceBars } from "../../domain/market/bars.ts";
import { driverContext } from "../drivers/context.ts";
import type { Facts } from "../drivers/facts.ts";
import type { Universe } from "../drivers/relative-strength.ts";
import { stageAfter, weeksOf } from "../indicators/weinstein-stage.ts";
import { type ConsensusInput, driversOf, levelsOf } from "./consensus.ts";
import { gradeRank, type SignalTape } from "./tape-columns.ts";
import { MIN_SCORE_BARS, markOf } from "./verdict.ts";

/** Closed bars that each reading of a tape rests on: as many as the live signal reads. */
export const TAPE_BARS = 500;

/** Whole histories; whatever is read at a bar began no later than that bar. */
export interface TapeInput extends Pick<ConsensusInput, "bars" | "assetClass" | "benchmark" | "isBenchmark"> {
  /** Other members of the same sector, on the calendar of the bars. */
  readonly peers: readonly Bars[];
  /** Universe in which momentum is ranked on the bar that starts at `time`, as known at its close. */
  readonly universeAt: (time: number) => Universe | null;
  /** The drivers that are not computed from bars, as known at the close of the bar that starts at `time`. */
  readonly factsAt?: (time: number) => Facts;
}

export interface TapeOptions {
  /** Index of the first bar to compute. Default: 0. */
  readonly from?: number;
  /** Drivers wanted as columns. */
  readonly drivers?: readonly string[];
}

/** A tape in the making. */
export interface TapeWriter {
  /** Filled from the first requested bar up to the current write position. */
  readonly tape: SignalTape;
  /** Computes up to `count` more bars; returns true once all are done. */
  step(count: number): boolean;
}

/**
 * The consensus at the close of every bar, to the last bit: score, grade, direction and the drivers asked
 * for, each from the last 500 bars up to its own and from nothing later. NaN, 0 and 0 before the bars wanted and
 * where there is no score; a driver has readings from the first bar wanted on.
 */
export function signalTape(input: TapeInput, options: TapeOptions = {}): SignalTape {
  const writer = tapeWriter(input, options);
  writer.step(Number.POSITIVE_INFINITY);
  return writer.tape;
}

/** The same tape a piece at a time, for a caller that has others to answer meanwhile. */
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
  const benchmarkAt = input.benchmark === null ? () => null : upTo(input.benchmark);
  let next = Math.max(0, wanted.length > 0 ? from : scored);

  function read(at: number): void {
    const time = bars.time[at]!;
    const start = Math.max(0, at + 1 - TAPE_BARS);
    const context = driverContext(sliceBars(bars, start, at + 1), input.assetClass, stageAt(start, at));
    const { factsAt, universeAt, ...same } = input;
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
    const { score, grade, direction } = markOf(readings, context.n, levelsOf(context));
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

/** Weinstein's stage at a bar from the weeks between another and it; called bar by bar, it counts each week once. */
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

/** The newest bars up to one that starts at `time`; times ascend from call to call. */
function upTo(bars: Bars): (time: number) => Bars {
  let end = 0;
  return (time) => {
    while (end < bars.time.length && bars.time[end]! <= time) end++;
    return sliceBars(bars, Math.max(0, end - TAPE_BARS), end);
  };
}
