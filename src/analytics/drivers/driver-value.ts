import { type DriverGroup, type DriverId, GROUP_OF } from "./table.ts";

/** Inputs of a driver, by name; null if an input is unknown. */
export type Inputs = Readonly<Record<string, number | string | null>>;

/** One driver at the decision bar: a value in [-1, 1], or null with the reason. */
export interface DriverValue {
  readonly id: DriverId;
  readonly group: DriverGroup;
  readonly value: number | null;
  readonly reason: string | null;
  readonly inputs: Inputs;
}

/** Returns a driver value; a value that is not finite becomes null with a reason. */
export function present(id: DriverId, value: number, inputs: Inputs): DriverValue {
  if (!Number.isFinite(value)) return absent(id, "Not defined on this data");
  return { id, group: GROUP_OF[id], value: value + 0, reason: null, inputs }; // turns -0 into 0
}

export const absent = (id: DriverId, reason: string, inputs: Inputs = {}): DriverValue => ({
  id,
  group: GROUP_OF[id],
  value: null,
  reason,
  inputs,
});

export const insufficientBars = (id: DriverId, needed: number, bars: number): DriverValue =>
  absent(id, `Needs ${needed} bars, has ${bars}`);

/** Limits a number to [-1, 1]. */
export const clip = (x: number): number => Math.max(-1, Math.min(1, x));
