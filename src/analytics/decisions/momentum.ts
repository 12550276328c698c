import type { Grade } from "../score/grade.ts";

/** Grades that are bought, and grades that are sold. */
export const BUYS: readonly Grade[] = ["A+", "A"];
export const SELLS: readonly Grade[] = ["D", "D-", "F"];

export interface MomentumDecision {
  readonly action: "buy" | "sell" | "hold";
  readonly reason: string;
}

/**
 * Buys the best grades and sells the worst: A+ and A are bought without a position; D, D- and F close one. A- and D+
 * trigger nothing, so that buys and sells are about equally frequent, each about a twentieth of all signals. Without a
 * grade nothing is done.
 */
export function momentumDecision({
  grade,
  holds,
}: {
  readonly grade: Grade | null;
  readonly holds: boolean;
}): MomentumDecision {
  if (grade === null) return { action: "hold", reason: "No grade: too little data to act on" };
  if (BUYS.includes(grade))
    return holds
      ? { action: "hold", reason: `Grade ${grade} is a buy, but a position is already held` }
      : { action: "buy", reason: `Grade ${grade} is a buy` };
  if (SELLS.includes(grade))
    return holds
      ? { action: "sell", reason: `Grade ${grade} is a sell` }
      : { action: "hold", reason: `Grade ${grade} is a sell, but no position is held` };
  return {
    action: "hold",
    reason: `Grade ${grade} is neither a buy (${BUYS.join(", ")}) nor a sell (${SELLS.join(", ")})`,
  };
}
