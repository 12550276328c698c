import { type DriverGroup, type DriverId, GROUP_OF } from "./table.ts";

/** Inputs of a driver, by name; null if an input is unknown. */
export type Inputs = Readonly<Record<string, number | string | null>>;

/** One driver at the decision bar: a value in [-1, 1], or null with the reason in plain words. */
export interface DriverValue {
  readonly id: DriverId;
  readonly group: DriverGroup;
  readonly value: number | null;
  readonly reason: string | null;
  readonly inputs: Inputs;
}

/** A reading with a value; a value that is no number becomes null with a reason, never NaN. */
export function present(id: DriverId, value: number, inputs: Inputs): DriverValue {
  if (!Number.isFinite(value)) return absent(id, "Not defined on this data");
  return { id, group: GROUP_OF[id], value: value + 0, reason: null, inputs }; // -0 reads 0
}

/** A reading that could not be made, and why. */
export const absent = (id: DriverId, reason: string, inputs: Inputs = {}): DriverValue => ({
  id,
  group: GROUP_OF[id],
  value: null,
  reason,
  inputs,
});

/** A reading that needs a longer history. */
export const insufficientBars = (id: DriverId, needed: number, bars: number): DriverValue =>
  absent(id, `Needs ${needed} bars, has ${bars}`);

/** Limits a number to [-1, 1]. */
export const clip = (x: number): number => Math.max(-1, Math.min(1, x));
