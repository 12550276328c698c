/** Kinds of structure that a slot of a path may contain. */
export type PlantedKind = "trend" | "accumulation" | "distribution" | "impulse" | "correction";
export type Outcome = "hold" | "fail";

/** A knot of the skeleton: a bar of the slot and its level. */
export type Knot = readonly [bar: number, level: number];

/** Price limits of the bars `from` to `to`, both included. */
export interface Band {
  readonly from: number;
  readonly to: number;
  readonly floor: number;
  readonly ceiling: number;
}

/** Prescribed prices of a bar, and its volume as a multiple of a usual day's volume. */
export interface BarPin {
  readonly low?: number;
  readonly high?: number;
  readonly close?: number;
  readonly volume?: number;
}

/**
 * A level at which large prints occur on the first bars between `from` and `to` that trade there; later bars return to
 * it.
 */
interface PrintLevel {
  readonly level: number;
  readonly from: number;
  readonly to: number;
}

/**
 * A structure to be applied to a slot, in its rising form. Levels are in usual day ranges relative to
 * the price at which the slot begins; bars are counted from the slot's first bar.
 */
export interface Plan {
  readonly knots: readonly Knot[];
  readonly bands: readonly Band[];
  readonly pins: ReadonlyMap<number, BarPin>;
  readonly printLevels: readonly PrintLevel[];
  readonly bars: Readonly<Record<string, number>>;
  readonly levels: Readonly<Record<string, number>>;
}

/** Draws of one slot, each with a name, so that adding a draw changes no other. */
export interface SlotDraws {
  between(name: string, least: number, most: number): number;
  integer(name: string, least: number, most: number): number;
}

/** Returns the skeleton's level at every bar of a slot, interpolated linearly between its knots. */
export function skeletonOf(knots: readonly Knot[], length: number): Float64Array {
  const levels = new Float64Array(length);
  let [bar, level] = [-1, 0];
  for (const [end, height] of [...knots, [length, knots.at(-1)?.[1] ?? 0] as const]) {
    for (let at = bar + 1; at <= end && at < length; at++)
      levels[at] = level + ((height - level) * (at - bar)) / (end - bar);
    [bar, level] = [end, height];
  }
  return levels;
}
