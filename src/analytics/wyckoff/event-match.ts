import type { EventSide, WyckoffEventType } from "../../domain/signal/structure.ts";
import type { Context, Range } from "./range.ts";
import type { View } from "./view.ts";

/** Role of an event, named as on the buying side. */
type Role = "PS" | "SC" | "AR" | "ST" | "UT" | "SPRING" | "SOS" | "LPS" | "BU";

/** An event in the prices of its view. */
export interface EventMatch {
  readonly role: Role;
  readonly bar: number;
  readonly price: number;
  /**
   * Bar at whose close the event was confirmed, the first at which one could act on it; null while its window is open.
   */
  readonly confirmedAt: number | null;
  readonly voidAt: number | null;
  /** Relative to the mean volume of the 20 bars before: 1 above 1.5 times, 2 from .8 to 1.5 times, 3 under .8 times. */
  readonly springType: 1 | 2 | 3 | null;
  readonly testedAt: number | null;
  readonly context: Context;
  readonly range: Range;
}

/**
 * One event of a trading range. Once confirmed, everything except `status`, `voidAt` and `testedAt` is final: later
 * bars never change it.
 */
export interface WyckoffEvent extends Omit<EventMatch, "role"> {
  readonly type: WyckoffEventType;
  /** Side of its bar on which it lies. */
  readonly side: EventSide;
  readonly status: "pending" | "confirmed" | "void";
}

/** Event names that differ from their role, on the buying and on the selling side. */
const BUYING: Partial<Record<Role, WyckoffEventType>> = { UT: "ST" };
const SELLING: Partial<Record<Role, WyckoffEventType>> = {
  PS: "PSY",
  SC: "BC",
  SPRING: "UTAD",
  SOS: "SOW",
  LPS: "LPSY",
  BU: "LPSY",
};

const OPPOSITE = { after_decline: "after_advance", after_advance: "after_decline", none: "none" } as const;

/** Events that lie at the opposite side of the range from the others of their view. */
const OPPOSING: ReadonlySet<Role> = new Set(["AR", "SOS"]);

/** Returns a sighting as an event with its published name and market prices. */
export function toEvent(view: View, match: EventMatch): WyckoffEvent {
  const { role, ...event } = match;
  const { price, confirmedAt, voidAt, context, range } = event;
  const status = confirmedAt === null ? "pending" : voidAt === null ? "confirmed" : "void";
  const side = (view.sign === 1) === OPPOSING.has(role) ? "top" : "bottom";
  if (view.sign === 1) return { ...event, type: BUYING[role] ?? role, side, status };
  return {
    ...event,
    type: SELLING[role] ?? role,
    side,
    status,
    price: -price,
    springType: null,
    context: OPPOSITE[context],
    range: { ...range, low: -range.high, high: -range.low },
  };
}

const APART = 5;

/**
 * Merges sightings of one role less than 5 bars apart: the one confirmed first remains, or the earlier one if confirmed
 * together, so a published event never disappears. A pending one remains only while no confirmed one is that near.
 */
export function mergeEventMatches(matches: readonly EventMatch[]): EventMatch[] {
  const known = (match: EventMatch) => match.confirmedAt ?? Number.POSITIVE_INFINITY;
  const inTurn = [...matches].sort((a, b) => (known(a) === known(b) ? a.bar - b.bar : known(a) - known(b)));
  const distinct: EventMatch[] = [];
  for (const next of inTurn)
    if (distinct.every(({ bar }) => Math.abs(next.bar - bar) >= APART)) distinct.push(next);
  return distinct;
}
