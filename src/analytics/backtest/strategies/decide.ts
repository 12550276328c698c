import type { Bars } from "../../../domain/market/bars.ts";
import { firstNumber, type Series } from "../../indicators/series.ts";
import { FLAT, LONG, SHORT } from "../types.ts";

/** Which sides a strategy takes: both, or long and otherwise nothing. */
export type Side = "both" | "long";

/**
 * The first bar at which a strategy decides: one after the first that has every input, so that there is
 * a previous bar. At most the number of bars.
 */
export function firstDecisionBar(bars: Bars, ...inputs: readonly Series[]): number {
  return Math.min(1 + Math.max(0, ...inputs.map(firstNumber)), bars.time.length);
}

/** Action that ends the long side: SHORT if both sides are traded, else FLAT. */
export const oppositeAction = (side: Side): number => (side === "both" ? SHORT : FLAT);

/**
 * Prices `multiple` times `unit` from the close of each bar that enters: above it for a LONG, under it for a SHORT,
 * the other way round for a negative multiple. NaN at other bars, and where no price can be that low.
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
