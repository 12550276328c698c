import { SELLS } from "../decisions/momentum.ts";
import type { Grade } from "../score/grade.ts";
import { gradeRank } from "../score/tape-columns.ts";

type Direction = "LONG" | "SHORT" | "WAIT";

/** State of one position. Prices are in US dollars. */
export interface PositionFacts {
  readonly side: "LONG" | "SHORT";
  /** Latest price, else the last close; null if both are unknown. */
  readonly price: number | null;
  /** Current signal; null if unavailable. */
  readonly now: { readonly direction: Direction; readonly grade: Grade | null } | null;
  /** Signal when the position was first seen; null if it was unavailable. */
  readonly first: {
    readonly grade: Grade | null;
    readonly stop: number | null;
    /** Origin of the stop; null without one. */
    readonly stopSource: "order" | "signal" | null;
  } | null;
}

/**
 * EXIT closes the position, REDUCE closes part of it, HOLD keeps it, REVIEW leaves the decision to a person because too
 * little is known.
 */
export const ACTIONS = ["EXIT", "REDUCE", "HOLD", "REVIEW"] as const;

/** Advice on a position with its reasons, most important first. */
export interface Advice {
  readonly action: (typeof ACTIONS)[number];
  readonly why: readonly string[];
  /** Null without a stop or without a price. */
  readonly stopBreached: boolean | null;
  /**
   * Grade steps in favour of the side since the position was first seen, negative if against it; null without both
   * grades.
   */
  readonly gradeSteps: number | null;
}

/** Grade steps of one letter. */
const LETTER = 3;

/** Grades rate the long side: the best for longs are the worst for shorts. */
const BAD_FOR_SHORTS: readonly Grade[] = ["A+", "A"];

/**
 * Returns advice on a position. EXIT if the stop was reached, the signal points the other way or the grade is one of
 * the worst for the side; REDUCE if the grade fell by a letter or more.
 */
export function adviceOn({ side, price, now, first }: PositionFacts): Advice {
  const stop = first?.stop ?? null;
  const stopBreached =
    stop === null || price === null ? null : side === "LONG" ? price <= stop : price >= stop;
  const gradeSteps = stepsOf(side, first?.grade ?? null, now?.grade ?? null);
  const exits = [
    ...(stopBreached === true
      ? [
          `The price ${price} is ${side === "LONG" ? "at or below" : "at or above"} the stop ${stop} of ${first?.stopSource === "order" ? "its order" : "the signal when the position was first seen"}`,
        ]
      : []),
    ...(now !== null && now.direction !== "WAIT" && now.direction !== side
      ? [`The signal says ${now.direction}, against a ${side} position`]
      : []),
    ...(now !== null && now.grade !== null && worst(side).includes(now.grade)
      ? [`Grade ${now.grade} is one of the worst for a ${side} position`]
      : []),
  ];
  const facts = { stopBreached, gradeSteps };
  const fell =
    gradeSteps !== null && gradeSteps <= -LETTER
      ? [`The grade went from ${first!.grade} to ${now!.grade}, against a ${side} position`]
      : [];
  if (exits.length > 0) return { action: "EXIT", why: [...exits, ...fell], ...facts };
  if (now === null) return { action: "REVIEW", why: ["The current signal could not be read"], ...facts };
  if (fell.length > 0) return { action: "REDUCE", why: fell, ...facts };
  const agrees = now.direction === side;
  const why = agrees
    ? `The signal still says ${side}`
    : `The signal says WAIT: neither for nor against a ${side} position`;
  return { action: "HOLD", why: [why], ...facts };
}

const worst = (side: PositionFacts["side"]): readonly Grade[] => (side === "LONG" ? SELLS : BAD_FOR_SHORTS);

function stepsOf(side: PositionFacts["side"], first: Grade | null, now: Grade | null): number | null {
  if (first === null || now === null) return null;
  const rise = gradeRank(now) - gradeRank(first);
  return side === "LONG" || rise === 0 ? rise : -rise;
}
