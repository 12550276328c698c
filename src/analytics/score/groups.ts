import type { DriverValue } from "../drivers/driver-value.ts";
import { DRIVERS, type DriverGroup } from "../drivers/table.ts";

/** One group of drivers: the mean of its present drivers, null if under half are present. */
export interface GroupValue {
  readonly group: DriverGroup;
  readonly value: number | null;
  /** Weight in the model, 0-1; the nine weights add up to 1. */
  readonly weight: number;
  /** Weight of the mean in `s`; 0 if the group is absent. */
  readonly effective_weight: number;
  readonly present: number;
  readonly of: number;
}

/** The groups and their weighted sum, before the rules for publishing it. */
export interface GroupSum {
  readonly groups: readonly GroupValue[];
  /** Total weight of the present groups, 0-1. */
  readonly coverage: number;
  /** Weighted sum before clipping; null without any price group. */
  readonly sum: number | null;
}

/** Weights in hundredths, so that coverage adds up exactly; price groups first. */
const HUNDREDTHS = {
  trend: 25,
  momentum: 20,
  volume: 15,
  relative_strength: 15,
  volatility: 5,
  dark_pool: 5,
  options: 8,
  news: 4,
  markets: 3,
} as const satisfies Record<DriverGroup, number>;

/** The five groups computed from prices and volume; their weights are renormalised over the present ones. */
export const PRICE_GROUPS = ["trend", "momentum", "volume", "relative_strength", "volatility"] as const;

const GROUPS = Object.keys(HUNDREDTHS) as readonly DriverGroup[];
const PLACE = Object.fromEntries(GROUPS.map((group, i) => [group, i])) as Readonly<
  Record<DriverGroup, number>
>;
const SIZE = GROUPS.map((group) => DRIVERS.filter((driver) => driver.group === group).length);

/**
 * Averages the drivers by group and sums the groups: price groups are renormalised over the present ones; optional
 * groups (dark pool, options, news, markets) are added as a tilt of fixed weight, so that new data in them does not
 * reduce the weight of the rest.
 */
export function sumGroups(drivers: readonly DriverValue[]): GroupSum {
  const totals = new Float64Array(GROUPS.length);
  const counts = new Uint8Array(GROUPS.length);
  for (const { group, value } of drivers) {
    if (value === null) continue;
    totals[PLACE[group]]! += value;
    counts[PLACE[group]]!++;
  }
  let priceWeight = 0;
  let allWeight = 0;
  for (let i = 0; i < GROUPS.length; i++) {
    if (!halfOf(i, counts[i]!)) continue;
    allWeight += HUNDREDTHS[GROUPS[i]!];
    if (i < PRICE_GROUPS.length) priceWeight += HUNDREDTHS[GROUPS[i]!];
  }
  let sum = 0;
  const groups = GROUPS.map((group, i): GroupValue => {
    const value = halfOf(i, counts[i]!) ? totals[i]! / counts[i]! : null;
    const base = i < PRICE_GROUPS.length ? priceWeight : 100;
    const effective = value === null ? 0 : HUNDREDTHS[group] / base;
    sum += effective * (value ?? 0);
    const weight = HUNDREDTHS[group] / 100;
    return { group, value, weight, effective_weight: effective, present: counts[i]!, of: SIZE[i]! };
  });
  return { groups, coverage: allWeight / 100, sum: priceWeight === 0 ? null : sum };
}

const halfOf = (place: number, present: number): boolean => present * 2 >= SIZE[place]!;
