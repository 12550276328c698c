import type { LevelRequest, RateMove } from "../details/level.ts";

/** A contract described by our own fields, without text from its venue. */
export interface Contract {
  readonly venue: string | null;
  readonly id: string | null;
  readonly probability_percent: number | null;
  readonly kind: string | null;
  readonly side: string | null;
  readonly level: number | null;
  readonly upper: number | null;
  readonly ends: string | null;
  /** Move of interest rates that the contract is about; null if none. */
  readonly rate_move: RateMove | null;
}

/** A contract from which the requested probability follows. */
export interface Choice {
  readonly contract: Contract;
  /** true: the contract is on the opposite side of the level, so the requested probability is its complement. */
  readonly isComplement: boolean;
}

const DAY = 86_400_000;
/** Tolerance for the requested day, ms: a contract may end a day earlier or later, depending on the venue's hours. */
const SAME_DAY = 1.5 * DAY;
const MONTH = 32 * DAY;

/** Returns the contracts on the requested level: the requested kind first, direct matches before complements. */
export function onLevel(
  contracts: readonly Contract[],
  { side, kind, level, upper }: LevelRequest,
): readonly Choice[] {
  const onIt = contracts.filter((row) => row.level !== null && isSame(row.level, level));
  const itself = onIt.filter((row) =>
    side === "between"
      ? row.side === "between" && row.upper !== null && isSame(row.upper, upper!)
      : row.side !== "between" && (side === null || row.side === side),
  );
  const opposite = side === "above" ? "below" : side === "below" ? "above" : null;
  const others = opposite === null ? [] : onIt.filter((row) => row.kind === "at" && row.side === opposite);
  const found = [
    ...itself.map((contract) => ({ contract, isComplement: false })),
    ...others.map((contract) => ({ contract, isComplement: true })),
  ].filter(({ contract }) => contract.probability_percent !== null);
  const distance = ({ contract }: Choice) => (kind === null || contract.kind === kind ? 0 : 1);
  return found.toSorted((a, b) => distance(a) - distance(b));
}

const isSame = (one: number, other: number): boolean => Math.abs(one - other) <= 1e-9 * Math.abs(other);

/** Returns the choice that ends first among those with the same `kind` and `isComplement` as the first choice. */
export function soonest(found: readonly Choice[]): Choice | undefined {
  const [first] = found;
  return found
    .filter(
      ({ contract, isComplement }) =>
        contract.kind === first!.contract.kind && isComplement === first!.isComplement,
    )
    .toSorted((a, b) => (a.contract.ends ?? "9").localeCompare(b.contract.ends ?? "9"))[0];
}

/** Returns true if the contract ends at most 32 days before and at most 1.5 days after the requested time. */
export function endsNear({ ends }: Contract, date: number): boolean {
  const before = ends === null ? Number.NaN : date - Date.parse(ends);
  return before >= -SAME_DAY && before <= MONTH;
}

/** Returns true if the contract ends on the requested day, or if no day is requested. */
export function isOfDay({ ends }: Contract, date: number | null): boolean {
  if (date === null) return true;
  // `date` is the end of the requested day and `date - DAY` its start
  return ends !== null && Math.abs(Date.parse(ends) - (date - DAY)) <= SAME_DAY;
}
