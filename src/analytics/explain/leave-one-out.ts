import type { DriverValue } from "../drivers/driver-value.ts";
import type { DriverId } from "../drivers/table.ts";
import type { LevelsOutcome } from "../levels/levels.ts";
import type { Side } from "../levels/side.ts";
import type { Grade } from "../score/grade.ts";
import { type Direction, markOf } from "../score/verdict.ts";

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
