import { type GroupValue, PRICE_GROUPS } from "../score/groups.ts";

/** Weights of the parts of a composite if all are present. */
export const WEIGHTS = { technical: 0.5, markets: 0.3, news: 0.2 } as const;
export type PartName = keyof typeof WEIGHTS;
const NAMES = Object.keys(WEIGHTS) as readonly PartName[];
/** Absolute value below which a part is neutral. */
export const FLAT_THRESHOLD = 0.1;
/** Minimum absolute value for a direction, as in the signal. */
export const DIRECTION_THRESHOLD = 0.25;
/** Minimum total weight of the present parts. */
const MIN_WEIGHT = 0.5;

export type PartDirection = "up" | "down" | "flat";

/** Each part from -1 (bearish) to 1 (bullish); null if missing. */
export type Parts = Readonly<Record<PartName, number | null>>;

/** Number of present parts that point in the direction of the composite. */
export interface Agreement {
  readonly same_way: number;
  readonly of: number;
  /** `same_way` / `of`. */
  readonly share: number;
  readonly way: PartDirection;
}

export interface Composite {
  /** Weighted mean of the present parts, -1 to 1; null if their weight is under half. */
  readonly s: number | null;
  /** 50 + 50 s. */
  readonly score: number | null;
  readonly direction: "LONG" | "SHORT" | "WAIT";
  /** Weight of each part, renormalised over the present ones; 0 for a missing one. */
  readonly weights: Readonly<Record<PartName, number>>;
  /** Null with fewer than two parts, or without a score. */
  readonly agreement: Agreement | null;
}

/** Returns the direction of a part; neutral within .1 of 0. */
export const partDirection = (value: number): PartDirection =>
  value >= FLAT_THRESHOLD ? "up" : value <= -FLAT_THRESHOLD ? "down" : "flat";

/**
 * Combines parts with weights .5, .3 and .2, renormalised over the present ones. LONG from .25, SHORT from -.25, else
 * WAIT.
 */
export function compositeOf(parts: Parts): Composite {
  const present = NAMES.filter((name) => parts[name] !== null);
  const sum = present.reduce((all, name) => all + WEIGHTS[name], 0);
  const weights = Object.fromEntries(
    NAMES.map((name) => [name, parts[name] === null ? 0 : WEIGHTS[name] / sum]),
  ) as Composite["weights"];
  if (sum < MIN_WEIGHT - 1e-9) return { s: null, score: null, direction: "WAIT", weights, agreement: null };
  const s = present.reduce((all, name) => all + weights[name] * parts[name]!, 0);
  const sideOf = partDirection(s);
  const same = present.filter((name) => partDirection(parts[name]!) === sideOf).length;
  return {
    s,
    score: 50 + 50 * s,
    weights,
    direction: s >= DIRECTION_THRESHOLD ? "LONG" : s <= -DIRECTION_THRESHOLD ? "SHORT" : "WAIT",
    agreement:
      present.length < 2
        ? null
        : { same_way: same, of: present.length, share: same / present.length, way: sideOf },
  };
}

const PRICE: ReadonlySet<string> = new Set(PRICE_GROUPS);

/**
 * Returns the part of a signal's sum that comes from prices and volume, -1 to 1: the five price groups, renormalised
 * over the present ones, without prints, options, news and markets, so that a composite counts none of these twice.
 * Null without any price group.
 */
export function priceSum(groups: readonly GroupValue[]): number | null {
  const present = groups.filter(({ group, value }) => PRICE.has(group) && value !== null);
  if (present.length === 0) return null;
  return present.reduce((all, { value, effective_weight }) => all + effective_weight * value!, 0);
}
