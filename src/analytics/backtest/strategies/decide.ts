import type { Bars } from "../../../domain/market/bars.ts";
import { firstNumber, type Series } from "../../indicators/series.ts";
import { FLAT, LONG, SHORT } from "../types.ts";

/** Sides that a strategy trades: both, or long only. */
export type Side = "both" | "long";

/**
 * Returns the first bar at which a strategy decides: one after the first bar that has every input, so that there is a
 * previous bar. At most the number of bars.
 */
export function firstDecisionBar(bars: Bars, ...inputs: readonly Series[]): number {
  return Math.min(1 + Math.max(0, ...inputs.map(firstNumber)), bars.time.length);
}

/** Returns the action that ends a long position: SHORT if both sides are traded, else FLAT. */
export const oppositeAction = (side: Side): number => (side === "both" ? SHORT : FLAT);

/**
 * Returns a price `multiple` times `unit` away from the close of each entry bar: above the close for LONG, below for
 * SHORT, reversed for a negative multiple. NaN at other bars, and where the price would not be positive.
 */
export function bracket(
  close: Float64Array,
  action: Uint8Array,
  unit: Float64Array,
  multiple: number,
): Float64Array {
  const out = new Float64Array(close.length).fill(Number.NaN);
  for (let i = 0; i < out.length; i++) {
    const entered = action[i]!;
    if (entered !== LONG && entered !== SHORT) continue;
    const price = close[i]! + (entered === LONG ? multiple : -multiple) * unit[i]!;
    if (price > 0) out[i] = price;
  }
  return out;
}
