import type { AssetClass } from "../../domain/market/market.ts";
import { driverContext } from "../drivers/context.ts";
import type { DriverValue } from "../drivers/driver-value.ts";
import type { Side } from "../levels/side.ts";
import { stopDistance } from "../levels/stop.ts";
import { type ConsensusInput, driversOf, levelsOf } from "../score/consensus.ts";
import { describeFault, newestSuspicion } from "../score/split-fault.ts";
import { gradeRank } from "../score/tape-columns.ts";
import { computeVerdict, type Verdict } from "../score/verdict.ts";

/** The verdict for another close of the last bar. */
export interface CloseEvaluation {
  readonly assetClass: AssetClass;
  readonly close: number;
  readonly verdict: Verdict;
  /** Rank of the grade: 1 for F to 13 for A+, 0 for none. */
  readonly rank: number;
  readonly drivers: readonly DriverValue[];
  /** ATR14 and volatility scale at that close. */
  readonly a: number;
  readonly v: number;
  /** Side of the evaluated plan. */
  readonly side: Side;
  /** Distance of that side's stop from the close, in ATR14. */
  readonly stop: number;
}

/**
 * Returns a function that evaluates the input with another last close, widening the bar's high and low to include it,
 * with the same functions as the consensus. Volume, facts, company and universe stay unchanged, as does the stage,
 * which excludes the bar's own week. All calls share one copy of the changed columns.
 */
export function closeEvaluator(input: ConsensusInput, stage: number): (close: number) => CloseEvaluation {
  const { bars, assetClass } = input;
  const at = bars.close.length - 1;
  const split = newestSuspicion(bars);
  const fault = split === undefined ? null : describeFault(bars, split);
  const moved = { ...bars, high: bars.high.slice(), low: bars.low.slice(), close: bars.close.slice() };
  return (close) => {
    moved.close[at] = close;
    moved.high[at] = Math.max(bars.high[at]!, close);
    moved.low[at] = Math.min(bars.low[at]!, close);
    const context = driverContext(moved, assetClass, stage);
    const { a, v, n } = context;
    const drivers = driversOf({ ...input, bars: moved }, context);
    const verdict = computeVerdict(drivers, n, levelsOf(context, assetClass, split?.index), fault);
    const side = verdict.s !== null && verdict.s < 0 ? "SHORT" : "LONG";
    const stop = stopDistance(side, moved, a) / a;
    return { assetClass, close, verdict, rank: gradeRank(verdict.grade), drivers, a, v, side, stop };
  };
}
