import { type Bars, sliceBars } from "../../domain/market/bars.ts";
import { type Side, towardProfit } from "../levels/side.ts";
import { sortedQuantile } from "../odds/quantiles.ts";
import { afterSplits, splitFault } from "../score/split-fault.ts";

/** Minimum and maximum number of nights of which gaps are measured. */
const MIN_NIGHTS = 120;
const MAX_NIGHTS = 1_000;

/**
 * Overnight gaps against a side: how far the open lies beyond the previous close, as a share of that close. Above 0 is a
 * loss: a lower open for LONG, a higher one for SHORT.
 */
export interface Gaps {
  readonly nights: number;
  /** Gap that 1 % of the nights exceed; 0 if it is none against the side. */
  readonly p99: number;
  /** Largest gap; 0 if no night was against the side. */
  readonly worst: number;
  /** Start of the bar that opened with the largest gap, epoch ms; of equal ones the first. Null if `worst` is 0. */
  readonly worstAt: number | null;
  /** Returns the number of nights with a gap above a distance, a share of the previous close. */
  beyond(distance: number): number;
}

/**
 * Returns the gaps of the last 1,000 nights of daily bars, the nights over weekends and holidays included. After a
 * suspected unadjusted split, only the nights since. Null with fewer than 120 nights. Not for coins: they trade at night.
 */
export function gapsOf(bars: Bars, side: Side): Gaps | null {
  const recent = sliceBars(bars, Math.max(0, bars.close.length - MAX_NIGHTS - 1));
  const used = afterSplits(recent, MIN_NIGHTS + 1);
  const nights = used.close.length - 1;
  if (nights < MIN_NIGHTS || splitFault(used) !== null) return null;
  const against = -towardProfit(side);
  const gaps = new Float64Array(nights);
  for (let night = 0; night < nights; night++)
    gaps[night] = against * (used.open[night + 1]! / used.close[night]! - 1);
  const sorted = gaps.toSorted();
  const worst = Math.max(0, sorted.at(-1)!);
  return {
    nights,
    p99: Math.max(0, sortedQuantile(sorted, 0.99)),
    worst,
    worstAt: worst === 0 ? null : used.time[gaps.indexOf(worst) + 1]!,
    beyond: (distance) => gaps.reduce((count, gap) => (gap > distance ? count + 1 : count), 0),
  };
}
