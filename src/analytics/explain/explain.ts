import { driverContext } from "../drivers/context.ts";
import type { DriverValue } from "../drivers/driver-value.ts";
import { DRIVERS } from "../drivers/table.ts";
import { type Consensus, type ConsensusInput, levelsOf } from "../score/consensus.ts";
import { newestSuspicion } from "../score/split-fault.ts";
import { type Contribution, contributionOf, type VerdictWithout, verdictWithout } from "./contributions.ts";
import { type Flips, nearestFlips } from "./flip.ts";
import { findMinimalRemoval, type MinimalRemoval } from "./minimal-removal.ts";

export interface ExplainedDriver extends DriverValue, Contribution {
  /** Author or reference of the driver. */
  readonly source: string;
  /** Time of its newest input, epoch ms: the start of the decision bar, or the time of the fact; null without a value. */
  readonly time: number | null;
  readonly without: VerdictWithout;
}

export interface Explanation {
  readonly drivers: readonly ExplainedDriver[];
  /** Weighted sum of the drivers before clipping to [-1, 1]; null without any price group. */
  readonly sum: number | null;
  readonly flips: Flips;
  readonly minimalRemoval: MinimalRemoval;
}

/**
 * Explains the consensus of an input: the contribution of each driver, the verdict without it, the nearest closes that
 * change the direction or the grade, and the smallest set of drivers whose removal changes the direction.
 */
export function explain(input: ConsensusInput, known: Consensus): Explanation {
  const split = newestSuspicion(input.bars);
  const context = driverContext(input.bars, input.assetClass);
  const levels = levelsOf(context, input.assetClass, split?.index);
  // with a suspected split there is no score, whatever the drivers are
  const bars = split === undefined ? known.bars : 0;
  const drivers = known.drivers.map((driver, i): ExplainedDriver => {
    const time = driver.value === null ? null : timeOf(driver, input, known);
    return {
      ...driver,
      ...contributionOf(driver, known.groups),
      source: DRIVERS[i]!.source,
      time,
      without: verdictWithout(driver.id, known.drivers, bars, levels),
    };
  });
  return {
    drivers,
    sum: known.sum,
    flips: nearestFlips(input, known),
    minimalRemoval: findMinimalRemoval(known.direction, drivers, bars, levels),
  };
}

const timeOf = ({ id }: DriverValue, { facts = {} }: ConsensusInput, { time }: Consensus): number =>
  (facts as Readonly<Record<string, { readonly time: number } | undefined>>)[id]?.time ?? time;
