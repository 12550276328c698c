import type { DriverReading } from "../drivers/reading.ts";
import type { DriverId } from "../drivers/table.ts";
import type { LevelsOutcome } from "../levels/levels.ts";
import type { Side } from "../levels/side.ts";
import type { Direction } from "../score/verdict.ts";
import { type VerdictWithout, verdictWithout } from "./leave-one-out.ts";

/** The fewest drivers without which the direction is another. */
export interface FewestAbsent {
  /** One or two of them; null where no two suffice. */
  readonly drivers: readonly DriverId[] | null;
  readonly direction: Direction | null;
  /** Why there are none. */
  readonly reason: string | null;
}

/** A driver with its share in the sum and the verdict without it. */
interface Known extends Pick<DriverReading, "id" | "group" | "value" | "reason" | "inputs"> {
  readonly weight: number;
  readonly without: VerdictWithout;
}

interface Absent {
  readonly ids: readonly DriverId[];
  readonly weight: number;
  readonly direction: Direction;
}

const NONE: FewestAbsent = {
  drivers: null,
  direction: null,
  reason: "The direction stays without any one driver and without any two",
};

/**
 * Tries every driver alone, then every two, each time judging as if they were unknown and everything else as it was
 * read. Of several the set of least weight, since the verdict hangs on that little; then the first in table order.
 */
export function fewestAbsent(
  known: Direction,
  drivers: readonly Known[],
  bars: number,
  levelsOf: (side: Side) => LevelsOutcome,
): FewestAbsent {
  const present = drivers.filter(({ value }) => value !== null);
  const lightest = (sets: readonly Absent[]): Absent | undefined =>
    sets.filter(({ direction }) => direction !== known).sort((a, b) => a.weight - b.weight)[0];
  const pairs = () =>
    present.flatMap((one, i) =>
      present.slice(i + 1).map((other): Absent => {
        const ids = [one.id, other.id];
        const { direction } = verdictWithout(ids, drivers, bars, levelsOf);
        return { ids, weight: one.weight + other.weight, direction };
      }),
    );
  const found =
    lightest(present.map(({ id, weight, without: { direction } }) => ({ ids: [id], weight, direction }))) ??
    lightest(pairs());
  return found === undefined ? NONE : { drivers: found.ids, direction: found.direction, reason: null };
}
