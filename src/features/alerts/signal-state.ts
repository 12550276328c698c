import { type DriverMove, type SignalChange, SignalState } from "../../domain/alerts/changes.ts";
import type { SeriesKey } from "../../domain/alerts/changes-port.ts";
import type { Bars } from "../../domain/market/bars.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { rounded } from "../../lib/rounded.ts";
import { barCloseMs } from "../../market/calendar/calendar.ts";
import type { Picture } from "../signal/picture.ts";
import { driverRows } from "../signal/signal-block.ts";

const DIGITS = 4;
const roundedValue = (value: number | null): number | null =>
  value === null ? null : rounded(value, DIGITS);

/** Extracts the part of a signal that is compared to detect changes; null without a score. */
export function toSignalState(picture: Picture): SignalState | null {
  const { direction, grade, score, model_version } = picture.consensus;
  if (score === null) return null;
  const drivers = driverRows(picture).map(({ id, value }) => [id, roundedValue(value)] as const);
  return {
    direction,
    grade,
    score,
    model_version,
    decided_at: picture.decidedAt,
    drivers: Object.fromEntries(drivers),
  };
}

/** Parses a stored state; null when missing or invalid. */
export function parseSignalState(text: string | null): SignalState | null {
  if (text === null) return null;
  try {
    return SignalState.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Relation of a new state to the stored one. sets: replaces it; same: is not newer; follows: is of a later bar. */
export type StateTransition = "sets" | "same" | "follows";

/**
 * Returns "follows" for a later closed bar, and "sets" at the first evaluation, after a change of model, and when the
 * stored bar is later than `now` (ISO 8601 UTC) because a clock was ahead.
 */
export function stateTransition(
  before: SignalState | null,
  after: SignalState,
  now: string,
): StateTransition {
  if (before === null || before.model_version !== after.model_version) return "sets";
  if (before.decided_at > now) return "sets";
  return after.decided_at > before.decided_at ? "follows" : "same";
}

/** Returns true when more than one bar closed since a state, so that the signals in between are unknown. */
export function hasMissedBars(before: SignalState, bars: Bars): boolean {
  const start = bars.time.at(-2);
  return start !== undefined && barCloseMs(start, bars.timeframe, bars.zone) > Date.parse(before.decided_at);
}

/** Returns the drivers whose value changed, largest change first; a missing value counts as 0. */
export function driverMoves(before: SignalState, after: SignalState): DriverMove[] {
  const ids = [...new Set([...Object.keys(before.drivers), ...Object.keys(after.drivers)])];
  const size = ({ from, to }: DriverMove) => Math.abs((to ?? 0) - (from ?? 0));
  return ids
    .map((id) => ({ id, from: before.drivers[id] ?? null, to: after.drivers[id] ?? null }))
    .filter(({ from, to }) => from !== to)
    .sort((a, b) => size(b) - size(a) || (a.id < b.id ? -1 : 1));
}

/** Lists the verdict fields that differ. */
export const changedFields = (before: SignalState, after: SignalState): SignalChange["changed"] =>
  (["direction", "grade"] as const).filter((part) => before[part] !== after[part]);

const toVerdict = ({ direction, grade, score }: SignalState) => ({ direction, grade, score });

export interface ChangeContext extends SeriesKey {
  /** Id of the market. */
  readonly market: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly price: number;
  readonly source: string;
}

/**
 * Returns the change between two states; null when direction and grade are equal. The id is deterministic: all
 * processes compute the same one.
 */
export function detectChange(
  before: SignalState,
  after: SignalState,
  { market, symbol, timeframe, at, price, source }: ChangeContext,
): SignalChange | null {
  const changed = changedFields(before, after);
  if (changed.length === 0) return null;
  return {
    change_id: `sc_${idDigits(JSON.stringify([market, symbol, timeframe, after.decided_at]))}`,
    symbol,
    timeframe,
    noticed_at: at,
    decided_at: after.decided_at,
    changed,
    before: toVerdict(before),
    after: toVerdict(after),
    drivers: driverMoves(before, after),
    price,
    source,
    model_version: after.model_version,
  };
}
