import { draw, keyOf, unit } from "./draws.ts";
import type { Outcome, Plan, PlantedKind, SlotDraws } from "./plan.ts";
import { rangePlan } from "./plan-range.ts";
import { correctionPlan, impulsePlan, trendPlan } from "./plan-swings.ts";

/** A plan and its direction: inverted if `sign` is -1. */
export interface Planting {
  readonly kind: PlantedKind;
  readonly outcome: Outcome;
  readonly sign: 1 | -1;
  readonly plan: Plan;
}

/** Kinds with their cumulative share of the slots. Accumulation includes distribution. */
const KINDS: readonly (readonly [Exclude<PlantedKind, "distribution"> | null, number])[] = [
  [null, 0.4],
  ["trend", 0.51],
  ["accumulation", 0.78],
  ["impulse", 0.89],
  ["correction", 1],
];
const HOLDING = 0.65;

/**
 * The structure of a slot of a listing, by hash; null for a slot without one. `lean` is the distance of the
 * price above its slow trend (logarithmic): structures that would increase it are drawn less often.
 */
export function plantingOf(key: number, slot: number, lean: number): Planting | null {
  const ofSlot = keyOf(key, "slot", slot);
  const share = (name: string) => unit(draw(keyOf(ofSlot, name), 0));
  const pick: SlotDraws = {
    between: (name, least, most) => least + share(name) * (most - least),
    integer: (name, least, most) => least + Math.floor(share(name) * (most - least + 1)),
  };
  const place = share("kind");
  const kind = KINDS.find(([, end]) => place < end)?.[0] ?? null;
  if (kind === null) return null;
  const outcome = share("outcome") < HOLDING ? "hold" : "fail";
  const falling = share("side") < 0.5 + Math.max(-0.5, Math.min(0.5, 1.2 * lean));
  if (kind === "accumulation") {
    const plan = rangePlan(pick, outcome);
    // each begins with the move that the other ends with
    return falling ? { kind, outcome, sign: 1, plan } : { kind: "distribution", outcome, sign: -1, plan };
  }
  const plan = { trend: trendPlan, impulse: impulsePlan, correction: correctionPlan }[kind](pick, outcome);
  return { kind, outcome, sign: falling ? -1 : 1, plan };
}
