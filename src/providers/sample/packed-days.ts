import type { PlannedDay } from "./apply-plan.ts";

/** Numbers of a day without and with constraints. */
const PLAIN = 3;
const FRAMED = 8;

/** The days of a slot as numbers one after another, which take a fraction of the memory of objects. */
export interface PackedDays {
  readonly numbers: Float64Array;
  /** Numbers of one day. */
  readonly stride: number;
}

/** Packs the days of a slot, which all have constraints or none. NaN stands for null. */
export function packDays(days: readonly PlannedDay[]): PackedDays {
  const stride = days.some(({ frame }) => frame !== null) ? FRAMED : PLAIN;
  const numbers = new Float64Array(stride * days.length);
  for (const [i, { open, close, spread, frame }] of days.entries()) {
    numbers.set([open, close, spread], stride * i);
    if (frame === null) continue;
    const { floor, ceiling, low, high, volume } = frame;
    const values = [floor, ceiling, low ?? Number.NaN, high ?? Number.NaN, volume ?? Number.NaN];
    numbers.set(values, stride * i + PLAIN);
  }
  return { numbers, stride };
}

/** Returns the days of a slot. */
export function unpackDays({ numbers, stride }: PackedDays): readonly PlannedDay[] {
  return Array.from({ length: numbers.length / stride }, (_, i): PlannedDay => {
    const [open, close, spread, floor, ceiling, low, high, volume] = numbers.subarray(
      stride * i,
      stride * (i + 1),
    );
    return {
      open: open!,
      close: close!,
      spread: spread!,
      frame:
        stride === PLAIN
          ? null
          : {
              floor: floor!,
              ceiling: ceiling!,
              low: numberOrNull(low),
              high: numberOrNull(high),
              volume: numberOrNull(volume),
            },
    };
  });
}

const numberOrNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;
