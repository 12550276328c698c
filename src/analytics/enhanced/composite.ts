import { type GroupValue, PRICE_GROUPS } from "../score/groups.ts";

/** Weights of the parts of a composite when all are present. */
export const WEIGHTS = { technical: 0.5, markets: 0.3, news: 0.2 } as const;
export type PartName = keyof typeof WEIGHTS;
const NAMES = Object.keys(WEIGHTS) as readonly PartName[];
/** Within so much of 0 a part points neither way. */
export const FLAT_THRESHOLD = 0.1;
/** From where on a composite has a direction, as that of a signal. */
export const DIRECTION_THRESHOLD = 0.25;
/** Weight that must be present. */
const MIN_WEIGHT = 0.5;

export type PartDirection = "up" | "down" | "flat";

/** Each part from -1 (bearish) to 1 (bullish); null where it is missing. */
export type Parts = Readonly<Record<PartName, number | null>>;

/** How many of the parts present point the way of the whole. */
export interface Agreement {
  readonly same_way: number;
  readonly of: number;
  /** same_way / of. */
  readonly share: number;
  readonly way: PartDirection;
}

/** The parts put together. */
export interface Composite {
  /** Weighted mean of the parts present, -1 to 1; null where they weigh under half. */
  readonly s: number | null;
  /** 50 + 50 s. */
  readonly score: number | null;
  readonly direction: "LONG" | "SHORT" | "WAIT";
  /** Weight of each part, renormalised over those present; 0 for a missing one. */
  readonly weights: Readonly<Record<PartName, number>>;
  /** null for fewer than two parts, or without a score. */
  readonly agreement: Agreement | null;
}

/** Which way a part points: within .1 of 0 neither. */
export const partDirection = (value: number): PartDirection =>
  value >= FLAT_THRESHOLD ? "up" : value <= -FLAT_THRESHOLD ? "down" : "flat";

/** Puts parts together by .5, .3 and .2, renormalised over those present; LONG from s of .25 on, SHORT from -.25 down, else WAIT. */
export function compositeOf(parts: Parts): Composite {
  const present = NAMES.filter((name) => parts[name] !== null);
  const sum = present.reduce((all, name) => all + WEIGHTS[name], 0);
  const weights = Object.fromEntries(
    NAMES.map((name) => [name, parts[name] === null ? 0 : WEIGHTS[name] / sum]),
  ) as Composite["weights"];
  if (sum < MIN_WEIGHT - 1e-9) return { s: null, score: null, direction: "WAIT", weights, agreement: null };
  const s = present.reduce((all, name) => all + weights[name] * parts[name]!, 0);
  const way = partDirection(s);
  const same = present.filter((name) => partDirection(parts[name]!) === way).length;
  return {
    s,
    score: 50 + 50 * s,
    weights,
    direction: s >= DIRECTION_THRESHOLD ? "LONG" : s <= -DIRECTION_THRESHOLD ? "SHORT" : "WAIT",
    agreement:
      present.length < 2 ? null : { same_way: same, of: present.length, share: same / present.length, way },
  };
}

const PRICE: ReadonlySet<string> = new Set(PRICE_GROUPS);

/**
 * The part of a signal's sum from prices and volume, -1 to 1: the five price groups renormalised over those present, without the
 * tilt of prints, options, news and markets, so that a composite counts none of these twice. Null without any of the groups.
 */
export function priceSum(groups: readonly GroupValue[]): number | null {
  const present = groups.filter(({ group, value }) => PRICE.has(group) && value !== null);
  if (present.length === 0) return null;
  return present.reduce((all, { value, effective_weight }) => all + effective_weight * value!, 0);
}
