/** Structures that a slot of a path may hold. */
export type PlantedKind = "trend" | "accumulation" | "distribution" | "impulse" | "correction";
export type Outcome = "hold" | "fail";

/** A bend of the skeleton: a bar of the slot and its level. */
export type Knot = readonly [bar: number, level: number];

/** Limits of the bars `from` to `to`, both included. */
export interface Band {
  readonly from: number;
  readonly to: number;
  readonly floor: number;
  readonly ceiling: number;
}

/** Prescribed prices of a bar; its volume as a multiple of a usual day's. */
export interface Pin {
  readonly low?: number;
  readonly high?: number;
  readonly close?: number;
  readonly volume?: number;
}

/**
 * A level at which large prints are made on the first bars `from` to `to` that trade there; later bars return to it.
 */
interface PrintLevel {
  readonly level: number;
  readonly from: number;
  readonly to: number;
}

/**
 * A structure to be laid over a slot, seen from the buying side. Levels are counted in usual day ranges from
 * the price at which the slot begins; bars from the slot's first.
 */
export interface Plan {
  readonly knots: readonly Knot[];
  readonly bands: readonly Band[];
  readonly pins: ReadonlyMap<number, Pin>;
  readonly printLevels: readonly PrintLevel[];
  readonly bars: Readonly<Record<string, number>>;
  readonly levels: Readonly<Record<string, number>>;
}

/** Draws of one slot, each named, so that an added draw changes no other. */
export interface SlotDraws {
  between(name: string, least: number, most: number): number;
  integer(name: string, least: number, most: number): number;
}

/** The skeleton's level at every bar of a slot, straight between its knots. */
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
