import { floorHundredths } from "../../lib/floor-hundredths.ts";
import { type Side, worseEdge } from "./side.ts";

interface Plan {
  readonly side: Side;
  readonly entry: { readonly low: number; readonly high: number };
  readonly stop: number;
}

/** Returns the distance to a target over that to the stop, both from the worse edge of the zone, rounded down to hundredths. */
export function rewardToRisk(plan: Plan, target: number): number {
  const worse = worseEdge(plan);
  return floorHundredths((target - worse) / (worse - plan.stop));
}

/** Returns each target of a plan in multiples of its risk, and the edge of the zone from which they are measured. */
export function targetsInR(plan: Plan & { readonly targets: readonly number[] }) {
  const entry = worseEdge(plan);
  return {
    edge: plan.side === "LONG" ? ("high" as const) : ("low" as const),
    entry,
    risk: Math.abs(entry - plan.stop),
    targets: plan.targets.map((price) => ({ price, r: rewardToRisk(plan, price) })),
  };
}
