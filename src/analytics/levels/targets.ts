import type { Bars } from "../../domain/market/bars.ts";
import { type Side, towardProfit } from "./side.ts";
import type { Pivot } from "./zigzag.ts";

/** Basis of the first target: a past swing, or the typical 20-bar move. */
export type TargetBasis = "pivot" | "reach";

const PIVOT_BARS = 252;
const NEAREST_TARGET = 1; // in ATR14 beyond the zone's worse edge
const USUAL_REACH = 4;
/** Farther, the 20 bars of a plan hardly ever reach it, so that its reward to risk would say nothing. */
const FARTHEST_TARGET = 10;

/**
 * Returns the first target: the nearest pivot of the last 252 bars that lies at least 1 ATR14 beyond the zone's worse
 * edge and that no close has passed since (highs above for LONG, lows below for SHORT). Without one, or if it lies more
 * than 10 ATR14 beyond the edge, 4 ATR14 beyond the edge, which may be below 0 for SHORT.
 */
export function firstTarget(
  side: Side,
  bars: Bars,
  a: number,
  worse: number,
  pivots: readonly Pivot[],
): { readonly price: number; readonly basis: TargetBasis } {
  const away = towardProfit(side);
  const kind = side === "LONG" ? "high" : "low";
  const oldest = bars.close.length - PIVOT_BARS;
  let nearest: number | null = null;
  let closedTo = away * Number.NEGATIVE_INFINITY; // furthest close in the side's direction since the pivot
  let bar = bars.close.length - 1;
  for (let i = pivots.length - 1; i >= 0; i--) {
    const pivot = pivots[i]!;
    if (pivot.index < oldest) break;
    for (; bar > pivot.index; bar--)
      if (away * (bars.close[bar]! - closedTo) > 0) closedTo = bars.close[bar]!;
    if (pivot.kind !== kind) continue;
    if (away * (closedTo - pivot.price) > 0) continue;
    if (away * (pivot.price - worse) < NEAREST_TARGET * a) continue;
    if (nearest === null || away * (nearest - pivot.price) > 0) nearest = pivot.price;
  }
  return nearest === null || away * (nearest - worse) > FARTHEST_TARGET * a
    ? { price: worse + away * USUAL_REACH * a, basis: "reach" }
    : { price: nearest, basis: "pivot" };
}
