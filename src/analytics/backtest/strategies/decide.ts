import type { Bars } from "../../../domain/market/bars.ts";
import { firstNumber, type Series } from "../../indicators/series.ts";
import { FLAT, SHORT } from "../types.ts";

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
