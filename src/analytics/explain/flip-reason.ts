import type { Consensus } from "../score/consensus.ts";
import { MIN_REWARD_TO_RISK, MIN_SUM, type Verdict } from "../score/verdict.ts";

const scoreOf = (sum: number): number => 50 + 50 * sum;
const sideOf = (s: number | null): number => (s === null || Math.abs(s) < MIN_SUM ? 0 : Math.sign(s));

/** Describes why the direction changed: the score passed a mark, or levels alone. */
export function flipReason(
  known: Pick<Consensus, "s">,
  there: Pick<Verdict, "s" | "reason" | "plan">,
): string {
  const [from, to] = [sideOf(known.s), sideOf(there.s)];
  if (there.s === null) return there.reason!;
  if (from !== to) {
    const mark = scoreOf(MIN_SUM * (to === 0 ? from : to));
    return to === 0
      ? `The score ${from > 0 ? "falls under" : "rises over"} ${mark}`
      : `The score ${to > 0 ? "reaches" : "falls to"} ${mark}`;
  }
  if (there.reason !== null)
    return `By levels alone, as ${there.reason.charAt(0).toLowerCase()}${there.reason.slice(1)}`;
  const reward = there.plan.levels!.reward_to_risk;
  return `By levels alone, as reward to risk ${Math.floor(reward * 100) / 100} reaches ${MIN_REWARD_TO_RISK}`;
}
