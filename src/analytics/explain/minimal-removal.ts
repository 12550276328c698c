import type { DriverValue } from "../drivers/driver-value.ts";
import type { DriverId } from "../drivers/table.ts";
import type { LevelsOutcome } from "../levels/levels.ts";
import type { Side } from "../levels/side.ts";
import { type Direction, scoreDrivers } from "../score/verdict.ts";
import type { VerdictWithout } from "./contributions.ts";

/** The smallest set of drivers whose removal changes the direction. */
export interface MinimalRemoval {
  /** One or two drivers; null if no two suffice. */
  readonly drivers: readonly DriverId[] | null;
  readonly direction: Direction | null;
  /** Why there is no such set; null if there is one. */
  readonly reason: string | null;
}

interface WeightedDriver extends DriverValue {
  readonly weight: number;
  readonly without: VerdictWithout;
}

type LevelsOf = (side: Side) => LevelsOutcome;

interface RemovalCandidate {
  readonly ids: readonly DriverId[];
  readonly weight: number;
  readonly direction: Direction;
}

const NONE: MinimalRemoval = {
  drivers: null,
  direction: null,
  reason: "Removing any one or two drivers does not change the direction",
};

/**
 * Tries the removal of each driver, then of each pair, with everything else unchanged. Of several sets it returns the
 * one with the lowest weight, then the first in table order.
 */
export function findMinimalRemoval(
  known: Direction,
  drivers: readonly WeightedDriver[],
  bars: number,
  levelsOf: LevelsOf,
): MinimalRemoval {
  const lightest = (sets: readonly RemovalCandidate[]): RemovalCandidate | undefined =>
    sets.filter(({ direction }) => direction !== known).sort((a, b) => a.weight - b.weight)[0];
  const alone = drivers.map(({ id, weight, without }) => ({
    ids: [id],
    weight,
    direction: without.direction,
  }));
  const found = lightest(alone) ?? lightest(pairsOf(drivers, bars, levelsOf));
  return found === undefined ? NONE : { drivers: found.ids, direction: found.direction, reason: null };
}

function pairsOf(
  drivers: readonly WeightedDriver[],
  bars: number,
  levelsOf: LevelsOf,
): readonly RemovalCandidate[] {
  const present = [...drivers.keys()].filter((i) => drivers[i]!.value !== null);
  const withoutValue = drivers.map((driver) => ({ ...driver, value: null }));
  const rest: DriverValue[] = [...drivers];
  return present.flatMap((i, nth) => {
    const one = drivers[i]!;
    rest[i] = withoutValue[i]!;
    const pairs = present.slice(nth + 1).map((k): RemovalCandidate => {
      const other = drivers[k]!;
      rest[k] = withoutValue[k]!;
      const { direction } = scoreDrivers(rest, bars, levelsOf);
      rest[k] = other;
      return { ids: [one.id, other.id], weight: one.weight + other.weight, direction };
    });
    rest[i] = one;
    return pairs;
  });
}
