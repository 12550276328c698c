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
  let at = 0;
  for (const { open, close, spread, frame } of days) {
    numbers[at] = open;
    numbers[at + 1] = close;
    numbers[at + 2] = spread;
    if (frame !== null) {
      numbers[at + 3] = frame.floor;
      numbers[at + 4] = frame.ceiling;
      numbers[at + 5] = frame.low ?? Number.NaN;
      numbers[at + 6] = frame.high ?? Number.NaN;
      numbers[at + 7] = frame.volume ?? Number.NaN;
    }
    at += stride;
  }
  return { numbers, stride };
}

/** Returns the days of a slot. */
export function unpackDays({ numbers, stride }: PackedDays): readonly PlannedDay[] {
  const days: PlannedDay[] = [];
  for (let at = 0; at < numbers.length; at += stride)
    days.push({
      open: numbers[at]!,
      close: numbers[at + 1]!,
      spread: numbers[at + 2]!,
      frame:
        stride === PLAIN
          ? null
          : {
              floor: numbers[at + 3]!,
              ceiling: numbers[at + 4]!,
              low: numberOrNull(numbers[at + 5]!),
              high: numberOrNull(numbers[at + 6]!),
              volume: numberOrNull(numbers[at + 7]!),
            },
    });
  return days;
}

const numberOrNull = (value: number): number | null => (Number.isNaN(value) ? null : value);
