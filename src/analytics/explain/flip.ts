import { MIN_REWARD_TO_RISK } from "../levels/levels.ts";
import type { Consensus, ConsensusInput } from "../score/consensus.ts";
import { GRADES, type Grade } from "../score/grade.ts";
import { gradeRank } from "../score/tape-columns.ts";
import { type Direction, MIN_SCORE_BARS, MIN_SUM, type Verdict } from "../score/verdict.ts";
import { type FlipCriteria, type FlipSearch, flipSearch } from "./flip-search.ts";

/** The nearest close of the decision bar that would have changed the verdict. */
export interface VerdictFlip {
  /** Null if no tick in the searched range changes it. */
  readonly price: number | null;
  /** Change from the actual close, as a fraction. */
  readonly change: number | null;
  /** Verdict at that price. */
  readonly direction: Direction | null;
  readonly grade: Grade | null;
  /** Reason for the new direction or for the missing price; null if only the grade changes. */
  readonly reason: string | null;
}

/** The nearest closes at which the verdict changes. */
export interface Flips {
  readonly direction: VerdictFlip;
  /** Nearest change to a better grade, and to a worse grade or none. */
  readonly better: VerdictFlip;
  readonly worse: VerdictFlip;
  /** Lowest and highest tick searched; null without a search. */
  readonly searched: { readonly low: number; readonly high: number; readonly tick: number } | null;
}

const BEST = GRADES.length;

/** The verdict that a flip changes. */
export type CurrentVerdict = Pick<Consensus, "direction" | "grade" | "s">;

/**
 * Finds the nearest ticks to which moving the last close changes the verdict, widening the bar's high and low to
 * include it. Searches up to 30% or 10 ATR14 away, whichever is nearer. Every nearer tick is evaluated by the same
 * functions as the consensus, or lies in an interval proven to hold no change. All other inputs stay unchanged.
 * Without an ATR or with too few bars for a score, nothing is searched.
 */
export function nearestFlips(
  input: ConsensusInput,
  known: CurrentVerdict,
  seek: FlipSearch | null = flipSearch(input),
): Flips {
  if (seek === null) {
    const nothing = none("The average true range is unknown or too small to search");
    return { direction: nothing, better: nothing, worse: nothing, searched: null };
  }
  const { close } = input.bars;
  const last = close[close.length - 1]!;
  const rank = gradeRank(known.grade);
  const turn = (criteria: FlipCriteria): VerdictFlip => {
    if (close.length < MIN_SCORE_BARS)
      return none(`A score needs ${MIN_SCORE_BARS} bars, whatever the close`);
    const { evaluation, proven } = seek.findNearest(criteria);
    if (evaluation === null) return none(noFlipReason(seek, last, proven));
    const { direction, grade } = evaluation.verdict;
    const reason = direction === known.direction ? null : flipReason(known, evaluation.verdict);
    return { price: evaluation.close, change: evaluation.close / last - 1, direction, grade, reason };
  };
  const { low, high, tick } = seek;
  return {
    direction: turn({
      matches: ({ verdict }) => verdict.direction !== known.direction,
      mayMatch: ({ directions }) => directions.some((direction) => direction !== known.direction),
    }),
    better:
      rank === BEST
        ? none("There is no better grade")
        : turn({
            matches: (evaluation) => evaluation.rank > rank,
            mayMatch: ({ ranks: [, most] }) => most > rank,
          }),
    worse: turn({
      matches: (evaluation) => evaluation.rank < rank,
      mayMatch: ({ ranks: [least] }) => least < rank,
    }),
    searched: { low, high, tick },
  };
}

const none = (reason: string): VerdictFlip => ({
  price: null,
  change: null,
  direction: null,
  grade: null,
  reason,
});

const noFlipReason = ({ low, high, tick }: FlipSearch, close: number, proven: number): string =>
  Math.max(close - low, high - close) > proven + tick
    ? `Unknown: too many changes within ${Number(proven.toPrecision(3))} of the close to resolve every tick`
    : `No close from $${Number(low.toPrecision(6))} to $${Number(high.toPrecision(6))} changes it`;

const scoreOf = (sum: number): number => 50 + 50 * sum;
const sideOf = (s: number | null): number => (s === null || Math.abs(s) < MIN_SUM ? 0 : Math.sign(s));

/** Returns why the direction changed: the score crossed a threshold, or only the levels changed. */
export function flipReason(
  known: Pick<Consensus, "s">,
  there: Pick<Verdict, "s" | "reason" | "plan">,
): string {
  const [from, to] = [sideOf(known.s), sideOf(there.s)];
  if (there.s === null) return there.reason!;
  if (from !== to) {
    const mark = scoreOf(MIN_SUM * (to === 0 ? from : to));
    return to === 0
      ? `The score ${from > 0 ? "falls below" : "rises above"} ${mark}`
      : `The score ${to > 0 ? "reaches" : "falls to"} ${mark}`;
  }
  if (there.reason !== null)
    return `Only the levels change, as ${there.reason.charAt(0).toLowerCase()}${there.reason.slice(1)}`;
  const reward = there.plan.levels!.reward_to_risk;
  return `Only the levels change, as reward to risk ${reward.toFixed(2)} reaches ${MIN_REWARD_TO_RISK}`;
}
