import type { Bars } from "../../../domain/market/bars.ts";
import { firstNumber, type Series } from "../../indicators/series.ts";
import { type Decisions, FLAT, LONG, SHORT } from "../types.ts";

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
 * LONG where `a` was under `b` a bar ago and is over it, against that where it was over and is under. Touching is
 * neither.
 */
export function onCrossing(bars: Bars, a: Series, b: Series, side: Side): Decisions {
  const action = new Uint8Array(a.length);
  const start = firstDecisionBar(bars, a, b);
  const turn = oppositeAction(side);
  let before = start > 0 ? a[start - 1]! - b[start - 1]! : 0;
  for (let i = start; i < action.length; i++) {
    const gap = a[i]! - b[i]!;
    if (before < 0 && gap > 0) action[i] = LONG;
    else if (before > 0 && gap < 0) action[i] = turn;
    before = gap;
  }
  return { start, action };
}
