import type { WyckoffEventType } from "../../domain/signal/structure.ts";
import type { Context, Range } from "./range.ts";
import type { View } from "./view.ts";

/** Role of an event, in the names of the buying side. */
type Role = "PS" | "SC" | "AR" | "ST" | "UT" | "SPRING" | "SOS" | "LPS" | "BU";

/** An event in the prices of its own view. */
export interface Sighting {
  readonly role: Role;
  readonly bar: number;
  readonly price: number;
  /** The bar at whose close it was known, or null while its window is open. */
  readonly confirmedAt: number | null;
  readonly voidAt: number | null;
  readonly springType: 1 | 2 | 3 | null;
  readonly testedAt: number | null;
  readonly context: Context;
  readonly range: Range;
}

/**
 * One event of a trading range. Everything but `status`, `voidAt` and `testedAt` is final once it is confirmed:
 * bars that follow never change it.
 */
export interface WyckoffEvent {
  readonly type: WyckoffEventType;
  readonly bar: number;
  readonly price: number;
  /** The bar at whose close it was known, the first at which it could be acted on; null while pending. */
  readonly confirmedAt: number | null;
  readonly voidAt: number | null;
  readonly status: "pending" | "confirmed" | "void";
  /** By the volume of the bar against the 20 before: 1 over 1.5 times, 2 usual, 3 under .8 times. */
  readonly springType: 1 | 2 | 3 | null;
  readonly testedAt: number | null;
  readonly context: Context;
  readonly range: Range;
}

const NAMES = {
  "1": {
    PS: "PS",
    SC: "SC",
    AR: "AR",
    ST: "ST",
    UT: "ST",
    SPRING: "SPRING",
    SOS: "SOS",
    LPS: "LPS",
    BU: "BU",
  },
  "-1": {
    PS: "PSY",
    SC: "BC",
    AR: "AR",
    ST: "ST",
    UT: "UT",
    SPRING: "UTAD",
    SOS: "SOW",
    LPS: "LPSY",
    BU: "LPSY",
  },
} as const satisfies Record<string, Record<Role, WyckoffEventType>>;

const OPPOSITE = { after_decline: "after_advance", after_advance: "after_decline", none: "none" } as const;

/** A sighting under its market name and in market prices. */
export function published(view: View, sighting: Sighting): WyckoffEvent {
  const { role, bar, price, confirmedAt, voidAt, springType, testedAt, context, range } = sighting;
  const rising = view.sign === 1;
  return {
    type: NAMES[`${view.sign}`][role],
    bar,
    price: rising ? price : -price,
    confirmedAt,
    voidAt,
    status: confirmedAt === null ? "pending" : voidAt === null ? "confirmed" : "void",
    springType: rising ? springType : null,
    testedAt,
    context: rising ? context : OPPOSITE[context],
    range: rising ? range : { ...range, low: -range.high, high: -range.low },
  };
}

const APART = 5;

/**
 * Sightings of one role less than 5 bars apart as one: the one known first stays (of those known together the
 * earlier), so a published event never disappears. A pending one stays while no confirmed one is that near.
 */
export function merged(sightings: readonly Sighting[]): Sighting[] {
  const known = (sighting: Sighting) => sighting.confirmedAt ?? Number.POSITIVE_INFINITY;
  const inTurn = [...sightings].sort((a, b) => (known(a) === known(b) ? a.bar - b.bar : known(a) - known(b)));
  const distinct: Sighting[] = [];
  for (const next of inTurn)
    if (distinct.every(({ bar }) => Math.abs(next.bar - bar) >= APART)) distinct.push(next);
  return distinct;
}
