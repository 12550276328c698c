/** How a trade ends: at its stop, at its target, or at the close of its last bar. */
export const PLAN_ENDS = ["stop", "target", "neither"] as const;
export type PlanEnd = (typeof PLAN_ENDS)[number];

/** Odds of the ends of a plan, 0-1; they add up to 1. */
export type PlanShares = Readonly<Record<PlanEnd, number>>;
