import type { DriverValue } from "../drivers/driver-value.ts";
import type { DriverId } from "../drivers/table.ts";
import type { LevelsOutcome } from "../levels/levels.ts";
import type { Side } from "../levels/side.ts";
import type { Grade } from "../score/grade.ts";
import type { GroupValue } from "../score/groups.ts";
import { type Direction, markOf } from "../score/verdict.ts";

/** Share of one driver in the weighted sum. */
export interface Contribution {
  /** Its share in the sum: the group's effective weight over the drivers present in it; 0 when it does not count. */
  readonly weight: number;
  /** weight x value; null without a value. Over all drivers these add up to the sum before clipping. */
  readonly contribution: number | null;
}

/** Weight and contribution of one driver among the groups it was summed with. */
export function contributionOf({ group, value }: DriverValue, groups: readonly GroupValue[]): Contribution {
  const own = groups.find((reading) => reading.group === group);
  if (value === null || own === undefined || own.present === 0) return { weight: 0, contribution: null };
  const weight = own.effective_weight / own.present;
  return { weight, contribution: weight * value };
}

/** The verdict had one driver been unknown. */
export interface VerdictWithout {
  readonly score: number | null;
  readonly grade: Grade | null;
  readonly direction: Direction;
}

/** Judges again as if `id` had no value; everything else stays as it was read. */
export function verdictWithout(
  id: DriverId,
  drivers: readonly DriverValue[],
  bars: number,
  levelsOf: (side: Side) => LevelsOutcome,
): VerdictWithout {
  const rest = drivers.map((driver) => (driver.id === id ? { ...driver, value: null } : driver));
  const { score, grade, direction } = markOf(rest, bars, levelsOf);
  return { score, grade, direction };
}
