import type { Consensus, ConsensusInput } from "../score/consensus.ts";
import { GRADES, type Grade } from "../score/grade.ts";
import { gradeRank } from "../score/tape-columns.ts";
import { type Direction, FEWEST_BARS } from "../score/verdict.ts";
import { type Seeker, type Sought, seekerOf } from "./seek.ts";
import { whyTurned } from "./why-turned.ts";

/** A close of the decision bar that would have changed the verdict, while no nearer tick would. */
export interface Turn {
  /** Null where no tick of the range searched changes it. */
  readonly price: number | null;
  /** From the actual close, as a fraction. */
  readonly change: number | null;
  /** What the verdict is there. */
  readonly direction: Direction | null;
  readonly grade: Grade | null;
  /** What turns the direction there, or why there is no price; null for the price of a grade. */
  readonly reason: string | null;
}

/** The nearest closes at which the verdict changes. */
export interface Flips {
  readonly direction: Turn;
  /** To any more attractive grade, and to any less attractive one or none. */
  readonly better: Turn;
  readonly worse: Turn;
  /** Lowest and highest tick that were answered for; null where nothing was searched. */
  readonly searched: { readonly low: number; readonly high: number; readonly tick: number } | null;
}

const BEST = GRADES.length;

/** What a flip starts from. */
export type Known = Pick<Consensus, "direction" | "grade" | "s">;

/**
 * Moves the last close, its bar's high and low stretched to hold it, to the nearest tick at which the verdict changes:
 * out to 30% or 10 ATR14, whichever is nearer. Every nearer tick was judged by the very functions behind the consensus,
 * or lies between two such that nothing can change between them. Everything but the close stays as it was read. Nothing
 * is searched without an average true range, nor under the bars that a score needs.
 */
export function nearestFlips(
  input: ConsensusInput,
  known: Known,
  seek: Seeker | null = seekerOf(input),
): Flips {
  if (seek === null) {
    const nothing = none("The average true range leaves no tick to search");
    return { direction: nothing, better: nothing, worse: nothing, searched: null };
  }
  const { close } = input.bars;
  const last = close[close.length - 1]!;
  const rank = gradeRank(known.grade);
  const turn = (sought: Sought): Turn => {
    if (close.length < FEWEST_BARS) return none(`No close makes a score of under ${FEWEST_BARS} bars`);
    const { look, proven } = seek.nearest(sought);
    if (look === null) return none(whyNone(seek, last, proven));
    const { direction, grade } = look.verdict;
    const reason = direction === known.direction ? null : whyTurned(known, look.verdict);
    return { price: look.close, change: look.close / last - 1, direction, grade, reason };
  };
  const { low, high, tick } = seek;
  return {
    direction: turn({
      changes: ({ verdict }) => verdict.direction !== known.direction,
      mayChange: ({ directions }) => directions.some((direction) => direction !== known.direction),
    }),
    better:
      rank === BEST
        ? none("There is no better grade")
        : turn({ changes: (look) => look.rank > rank, mayChange: ({ ranks: [, most] }) => most > rank }),
    worse: turn({ changes: (look) => look.rank < rank, mayChange: ({ ranks: [least] }) => least < rank }),
    searched: { low, high, tick },
  };
}

const none = (reason: string): Turn => ({ price: null, change: null, direction: null, grade: null, reason });

const whyNone = ({ low, high, tick }: Seeker, close: number, proven: number): string =>
  Math.max(close - low, high - close) > proven + tick
    ? `Not known: too much turns within ${Number(proven.toPrecision(3))} of the close to tell it tick by tick`
    : `No close from $${Number(low.toPrecision(6))} to $${Number(high.toPrecision(6))} changes it`;
