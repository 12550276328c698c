import { DAY_MS, EPOCH } from "./time.ts";

const WEEKS = 5;
/** Months, counted from the current one, whose third Friday is a listed expiry. */
const MONTHS = [0, 1, 2, 3, 6, 12] as const;
const STEPS: readonly (readonly [under: number, step: number])[] = [
  [20, 0.5],
  [60, 1],
  [150, 2.5],
  [500, 5],
];
const LARGEST = 10;
/** Maximum number of strikes on each side. */
const SIDE = 12;

interface Expiry {
  /** 00:00 UTC of the expiry date, epoch ms. */
  readonly expiry: number;
  readonly date: string;
  readonly monthly: boolean;
}

/**
 * Returns the expiries listed on a day, in order: the next five Fridays, and third Fridays up to twelve
 * months ahead.
 */
export function expiriesOn(day: number): readonly Expiry[] {
  const today = EPOCH + day * DAY_MS;
  const friday = today + ((12 - new Date(today).getUTCDay()) % 7) * DAY_MS;
  const weeks = Array.from({ length: WEEKS }, (_, week) => friday + 7 * week * DAY_MS);
  const months = MONTHS.map((month) => thirdFriday(today, month)).filter((expiry) => expiry >= today);
  return [...new Set([...weeks, ...months])]
    .sort((a, b) => a - b)
    .map((expiry) => ({
      expiry,
      date: new Date(expiry).toISOString().slice(0, 10),
      monthly: expiry === thirdFriday(expiry, 0),
    }));
}

function thirdFriday(time: number, ahead: number): number {
  const at = new Date(time);
  const first = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead, 1);
  return first + (14 + ((12 - new Date(first).getUTCDay()) % 7)) * DAY_MS;
}

/**
 * Returns strikes around a price on a grid of round steps, up to 3.5 times `spread` (a logarithmic move) on
 * each side.
 */
export function strikesOn(price: number, spread: number): readonly number[] {
  const small = STEPS.find(([under]) => price < under)?.[1] ?? LARGEST;
  const reach = price * Math.max(0.04, Math.min(0.6, 3.5 * spread));
  // far expiries have wider steps of the same grid
  const step = small * Math.max(1, Math.ceil(reach / (small * SIDE)));
  const middle = Math.round(price / step);
  const side = Math.max(4, Math.min(SIDE, Math.ceil(reach / step)));
  return Array.from({ length: 2 * side + 1 }, (_, i) => (middle - side + i) * step).filter(
    (strike) => strike > 0,
  );
}
