import { draw, keyOf, normal, unit } from "./draws.ts";
import {
  activityFactor,
  CONTRACTS_PER_SHARE,
  type OptionConditions,
  splitByWeights,
} from "./option-conditions.ts";
import { yearsUntil } from "./option-model.ts";
import type { Recording } from "./recordings.ts";
import { DAY_MS, EPOCH } from "./time.ts";

const WEEKS = 5;
/** Months whose third Friday is a listed expiry, counted from the current month. */
const MONTHS = [0, 1, 2, 3, 6, 12] as const;
const STEPS: readonly (readonly [under: number, step: number])[] = [
  [20, 0.5],
  [60, 1],
  [150, 2.5],
  [500, 5],
];
const LARGEST = 10;
/** Maximum number of strikes on each side of the price. */
const MAX_STRIKES_PER_SIDE = 12;

/**
 * Returns the expiries listed on a day, in order: the next five Fridays, and third Fridays up to twelve months ahead.
 */
function expiriesOn(day: number) {
  const today = EPOCH + day * DAY_MS;
  const friday = today + ((12 - new Date(today).getUTCDay()) % 7) * DAY_MS;
  const weeks = Array.from({ length: WEEKS }, (_, week) => friday + 7 * week * DAY_MS);
  const months = MONTHS.map((month) => thirdFriday(today, month)).filter((expiry) => expiry >= today);
  return [...new Set([...weeks, ...months])]
    .sort((a, b) => a - b)
    .map((expiry) => ({
      /** 00:00 UTC of the expiry date, epoch ms. */
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
 * Returns strikes around a price on a grid of round steps, up to 3.5 times `spread` (a logarithmic move) on each side.
 */
function strikesOn(price: number, spread: number): readonly number[] {
  const small = STEPS.find(([under]) => price < under)?.[1] ?? LARGEST;
  const reach = price * Math.max(0.04, Math.min(0.6, 3.5 * spread));
  // distant expiries have wider steps on the same grid
  const step = small * Math.max(1, Math.ceil(reach / (small * MAX_STRIKES_PER_SIDE)));
  const middle = Math.round(price / step);
  const side = Math.max(4, Math.min(MAX_STRIKES_PER_SIDE, Math.ceil(reach / step)));
  return Array.from({ length: 2 * side + 1 }, (_, i) => (middle - side + i) * step).filter(
    (strike) => strike > 0,
  );
}

/** Open interest as a multiple of the usual daily volume. */
const OPEN_INTEREST_DAYS = 14;

/** An option listed on a day. */
export interface ListedOption {
  /** OSI symbol without padding. */
  readonly symbol: string;
  /** 00:00 UTC of the expiry date, epoch ms, and the date, `YYYY-MM-DD`. */
  readonly expiry: number;
  readonly date: string;
  readonly type: "call" | "put";
  /** US dollars per share. */
  readonly strike: number;
  /** Contracts traded on the complete day. */
  readonly traded: number;
  /** Open contracts. */
  readonly held: number;
}

/** Returns all options listed on a stock or fund on a day, each with its part of the day's volume and open interest. */
export function listedOptions(
  { listing, key }: Recording,
  conditions: OptionConditions,
  day: number,
): readonly ListedOption[] {
  const root = listing.instrument.symbol.replace(".", "");
  const listed = expiriesOn(day).flatMap(({ expiry, date, monthly }) => {
    const years = yearsUntil(expiry, EPOCH + day * DAY_MS);
    const usual = conditions.atm(years) * Math.sqrt(years);
    const days = 365 * years;
    return strikesOn(conditions.before, usual).flatMap((strike) =>
      (["call", "put"] as const).map((type) => {
        const name = `${root}${date.slice(2).replaceAll("-", "")}${type === "call" ? "C" : "P"}`;
        const symbol = `${name}${String(Math.round(strike * 1000)).padStart(8, "0")}`;
        const own = keyOf(key, "contract", symbol);
        // most volume is slightly out of the money, most open interest farther out
        const out = (type === "call" ? 1 : -1) * (Math.log(strike / conditions.before) / usual);
        const near = (width: number) => Math.exp(-0.5 * ((out - 0.3) / width) ** 2);
        const held = near(1.3) * Math.exp(0.5 * normal(own, 0)) * (monthly ? 4 : 1);
        return {
          symbol,
          expiry,
          date,
          type,
          strike,
          traded: (near(0.9) / (3 + days)) * activityFactor(own, day),
          held: (held / (20 + days)) * Math.exp(0.1 * normal(own, day)),
        };
      }),
    );
  });
  const split = (type: "call" | "put", by: "traded" | "held", total: number) => {
    const own = listed.filter((option) => option.type === type);
    const counts = splitByWeights(
      own.map((option) => option[by]),
      total,
    );
    return own.map(({ symbol }, i) => [symbol, counts[i]!] as const);
  };
  const usual = listing.volume * CONTRACTS_PER_SHARE * OPEN_INTEREST_DAYS;
  const puts = 0.35 + 0.2 * unit(draw(keyOf(key, "held"), 0));
  const traded = new Map([
    ...split("call", "traded", conditions.calls),
    ...split("put", "traded", conditions.puts),
  ]);
  const held = new Map([
    ...split("call", "held", Math.round((1 - puts) * usual)),
    ...split("put", "held", Math.round(puts * usual)),
  ]);
  return listed.map((option) => ({
    ...option,
    traded: traded.get(option.symbol)!,
    held: held.get(option.symbol)!,
  }));
}
