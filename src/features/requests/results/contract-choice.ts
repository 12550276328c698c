import { type LevelRequest, type RateMove, rateMoveIn } from "../details/odds.ts";
import type { AnswerReader } from "./answer-reader.ts";

/** A contract described by our own fields, without text from its venue. */
export type Contract = ReturnType<typeof contractOf>;

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

/**
 * Returns the contracts on the requested level or rate move, and the one that ends at the requested time; by default
 * the soonest on a level, else the first.
 */
export function chooseContract(
  contracts: readonly Contract[],
  { level, move, date }: { level: LevelRequest | null; move: RateMove | null; date: number | null },
): { readonly candidates: readonly Choice[]; readonly chosen: Choice | undefined } {
  const candidates =
    level === null
      ? contracts.flatMap((contract) =>
          move === null || contract.rate_move === move ? [{ contract, isComplement: false }] : [],
        )
      : onLevel(contracts, level);
  if (date === null) return { candidates, chosen: level === null ? candidates[0] : soonest(candidates) };
  const isOfTime = level === null ? endsNear : isOfDay;
  return { candidates, chosen: candidates.find(({ contract }) => isOfTime(contract, date)) };
}

/** Returns the contracts on the requested level: the requested kind first, direct matches before complements. */
function onLevel(
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
function soonest(found: readonly Choice[]): Choice | undefined {
  const [first] = found;
  return found
    .filter(
      ({ contract, isComplement }) =>
        contract.kind === first!.contract.kind && isComplement === first!.isComplement,
    )
    .toSorted((a, b) => (a.contract.ends ?? "9").localeCompare(b.contract.ends ?? "9"))[0];
}

/** Returns true if the contract ends at most 32 days before and at most 1.5 days after the requested time. */
function endsNear({ ends }: Contract, date: number): boolean {
  const before = ends === null ? Number.NaN : date - Date.parse(ends);
  return before >= -SAME_DAY && before <= MONTH;
}

/** Returns true if the contract ends on the requested day; `date` is the end of that day and `date - DAY` its start. */
const isOfDay = ({ ends }: Contract, date: number): boolean =>
  ends !== null && Math.abs(Date.parse(ends) - (date - DAY)) <= SAME_DAY;

/** Reads a contract. */
export function contractOf(row: AnswerReader) {
  return {
    venue: row.text("venue"),
    id: row.text("id"),
    probability_percent: row.percent("probability"),
    kind: row.text("price_level.kind"),
    side: row.text("price_level.side"),
    level: row.number("price_level.level", 6),
    upper: row.number("price_level.upper", 6),
    ends: (row.text("price_level.by") ?? row.text("close_time"))?.slice(0, 10) ?? null,
    /** Move of interest rates that the contract is about; null if none. */
    rate_move: moveOf(row),
  };
}

/**
 * Reads the rate move from third-party text, which is never shown. Returns null for the outcome `No`, which negates the
 * question.
 */
function moveOf(row: AnswerReader): RateMove | null {
  const outcome = row.text("outcome") ?? "";
  if (/^no$/i.test(outcome)) return null;
  return rateMoveIn(`${row.text("question") ?? ""} ${/^yes$/i.test(outcome) ? "" : outcome}`);
}
