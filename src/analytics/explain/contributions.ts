import type { DriverValue } from "../drivers/driver-value.ts";
import type { DriverId } from "../drivers/table.ts";
import type { LevelsOutcome } from "../levels/levels.ts";
import type { Side } from "../levels/side.ts";
import type { Grade } from "../score/grade.ts";
import type { GroupValue } from "../score/groups.ts";
import { type Direction, scoreDrivers } from "../score/verdict.ts";

/** Contribution of one driver to the weighted sum. */
export interface Contribution {
  /**
   * Weight in the sum: the group's effective weight divided by its number of present drivers; 0 if the driver does not
   * count.
   */
  readonly weight: number;
  /** weight x value; null without a value. The contributions of all drivers add up to the sum before clipping. */
  readonly contribution: number | null;
}

/** Returns the weight and contribution of a driver, given the groups of the same sum. */
export function contributionOf({ group, value }: DriverValue, groups: readonly GroupValue[]): Contribution {
  const own = groups.find((reading) => reading.group === group);
  if (value === null || own === undefined || own.present === 0) return { weight: 0, contribution: null };
  const weight = own.effective_weight / own.present;
  return { weight, contribution: weight * value + 0 }; // + 0: never -0
}

/** The verdict with one driver set to unknown. */
export interface VerdictWithout {
  readonly score: number | null;
  readonly grade: Grade | null;
  readonly direction: Direction;
}

/** Computes the verdict with driver `id` set to unknown and everything else unchanged. */
export function verdictWithout(
  id: DriverId,
  drivers: readonly DriverValue[],
  bars: number,
  levelsOf: (side: Side) => LevelsOutcome,
): VerdictWithout {
  const rest = drivers.map((driver) => (driver.id === id ? { ...driver, value: null } : driver));
  const { score, grade, direction } = scoreDrivers(rest, bars, levelsOf);
  return { score, grade, direction };
}
