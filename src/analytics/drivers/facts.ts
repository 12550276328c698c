import { absent, clip, type DriverValue, type Inputs, present } from "./driver-value.ts";
import type { DriverId } from "./table.ts";

const MISSING = {
  d_offex: "No provider of off-exchange short volume is connected",
  d_block: "No provider of block trades with a known side is connected",
  o_pc: "No provider of options volume is connected",
  o_skew: "No provider of options chains is connected",
  n_sent: "No provider of scored news is connected",
  k_mkt: "No provider of linked prediction markets is connected",
} as const satisfies Partial<Record<DriverId, string>>;

export type FactDriverId = keyof typeof MISSING;

/** A driver computed from dated facts instead of bars, already scaled to [-1, 1]. */
export interface DatedFact {
  readonly value: number;
  /** Time at which its newest input became known, epoch ms; never later than the decision. */
  readonly time: number;
  readonly inputs: Inputs;
}
export type Facts = Readonly<Partial<Record<FactDriverId, DatedFact>>>;

/** Reasons for missing facts that are more specific than the default. */
export type MissingFactReasons = Readonly<Partial<Record<FactDriverId, string>>>;

/**
 * Returns the six drivers that are not computed from bars, in table order; a driver without a fact is null with its
 * reason.
 */
export const factDrivers = (facts: Facts, missingReasons: MissingFactReasons = {}): readonly DriverValue[] =>
  (Object.keys(MISSING) as FactDriverId[]).map((id) => {
    const fact = facts[id];
    return fact === undefined
      ? absent(id, missingReasons[id] ?? MISSING[id])
      : present(id, clip(fact.value), fact.inputs);
  });
