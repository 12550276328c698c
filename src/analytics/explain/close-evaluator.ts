import { driverContext } from "../drivers/context.ts";
import type { DriverValue } from "../drivers/driver-value.ts";
import type { Side } from "../levels/side.ts";
import { stopDistance } from "../levels/stop.ts";
import { type ConsensusInput, driversOf, levelsOf } from "../score/consensus.ts";
import { gradeRank } from "../score/tape-columns.ts";
import { computeVerdict, type Verdict } from "../score/verdict.ts";

/** The whole verdict had the last bar closed elsewhere. */
export interface CloseEvaluation {
  readonly close: number;
  readonly verdict: Verdict;
  /** Place of the grade from 1 for F to 13 for A+, 0 for none. */
  readonly rank: number;
  readonly drivers: readonly DriverValue[];
  /** ATR14 and the volatility scale there. */
  readonly a: number;
  readonly v: number;
  /** Of the plan that was judged. */
  readonly side: Side;
  /** Distance of that side's stop from the close, in ATR14. */
  readonly stop: number;
}

/**
 * Judges the input with another last close, the bar's high and low stretched to hold it, by the very functions behind
 * the consensus. Volume, facts, company and universe stay as they were read, as does the stage, which the bar's own
 * week is not part of. Works on one copy of the columns it changes.
 */
export function closeEvaluator(input: ConsensusInput, stage: number): (close: number) => CloseEvaluation {
  const { bars, assetClass } = input;
  const at = bars.close.length - 1;
  const moved = { ...bars, high: bars.high.slice(), low: bars.low.slice(), close: bars.close.slice() };
  return (close) => {
    moved.close[at] = close;
    moved.high[at] = Math.max(bars.high[at]!, close);
    moved.low[at] = Math.min(bars.low[at]!, close);
    const context = driverContext(moved, assetClass, stage);
    const { a, v, n } = context;
    const drivers = driversOf({ ...input, bars: moved }, context);
    const verdict = computeVerdict(drivers, n, levelsOf(context));
    const side = verdict.s !== null && verdict.s < 0 ? "SHORT" : "LONG";
    const stop = stopDistance(side, moved, a) / a;
    return { close, verdict, rank: gradeRank(verdict.grade), drivers, a, v, side, stop };
  };
}
