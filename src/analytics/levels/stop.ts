import type { Bars } from "../../domain/market/bars.ts";
import { type Side, towardProfit } from "./side.ts";

const BARS = 5;
const BUFFER = 0.25; // in ATR14, as are the limits
const MIN_DISTANCE = 1.5;
const MAX_DISTANCE = 3;

/**
 * Returns the distance of the stop from the close in price units: .25 ATR14 beyond the low of the last 5 bars (the
 * high for SHORT), limited to 1.5 to 3 ATR14.
 */
export function stopDistance(side: Side, bars: Bars, a: number): number {
  const n = bars.close.length;
  const away = towardProfit(side);
  const extremes = side === "LONG" ? bars.low : bars.high;
  let behind = 0;
  for (let bar = Math.max(0, n - BARS); bar < n; bar++)
    behind = Math.max(behind, away * (bars.close[n - 1]! - extremes[bar]!));
  return Math.min(MAX_DISTANCE * a, Math.max(MIN_DISTANCE * a, behind + BUFFER * a));
}
