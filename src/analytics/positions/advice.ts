import { SELLS } from "../decisions/momentum.ts";
import type { Grade } from "../score/grade.ts";
import { gradeRank } from "../score/tape-columns.ts";

type Direction = "LONG" | "SHORT" | "WAIT";

/** State of one position. Prices are US dollars. */
export interface PositionFacts {
  readonly side: "LONG" | "SHORT";
  /** The latest price, or the last close without one; null where neither is known. */
  readonly price: number | null;
  /** The current signal; null if it cannot be read. */
  readonly now: { readonly direction: Direction; readonly grade: Grade | null } | null;
  /** The signal when the position was first seen; null if it was not read. */
  readonly first: {
    readonly grade: Grade | null;
    readonly stop: number | null;
    /** Whose the stop is; null without one. */
    readonly stopSource: "order" | "signal" | null;
  } | null;
}

/** EXIT closes it, REDUCE takes a part of it off, HOLD leaves it, REVIEW is for a person: too little is known. */
export const ACTIONS = ["EXIT", "REDUCE", "HOLD", "REVIEW"] as const;

/** Advice on a position with its reasons, the most important first. */
export interface Advice {
  readonly action: (typeof ACTIONS)[number];
  readonly why: readonly string[];
  /** null where there is no stop or no price to hold against it. */
  readonly stopBreached: boolean | null;
  /** Steps of the grade in favour of the side since it was first seen, below 0 against it; null without both grades. */
  readonly gradeSteps: number | null;
}

/** A whole letter. */
const LETTER = 3;

/** Grades are of the long side: the best long is the worst short. */
const BAD_FOR_SHORTS: readonly Grade[] = ["A+", "A"];

/**
 * A stop that was reached, a signal the other way or one of the worst grades for the side ends a position; a grade that
 * fell by a letter or more takes a part of it off.
 */
export function adviceOn({ side, price, now, first }: PositionFacts): Advice {
  const stop = first?.stop ?? null;
  const stopBreached =
    stop === null || price === null ? null : side === "LONG" ? price <= stop : price >= stop;
  const gradeSteps = stepsOf(side, first?.grade ?? null, now?.grade ?? null);
  const exits = [
    ...(stopBreached === true
      ? [
          `The price ${price} is ${side === "LONG" ? "at or below" : "at or above"} the stop ${stop} of ${first?.stopSource === "order" ? "its order" : "the signal when it was first seen"}`,
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
  if (now === null) return { action: "REVIEW", why: ["The signal of now could not be read"], ...facts };
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
