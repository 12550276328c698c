import type { Bars } from "../../../domain/market/bars.ts";
import { rsi } from "../../indicators/rsi.ts";
import { type Decisions, LONG } from "../types.ts";
import { firstDecisionBar, oppositeAction, type Side } from "./decide.ts";

/**
 * Long where the RSI comes back over `low`; short, or out, where it comes back under `high`. Entering on the way back,
 * rather than on the way down, is how charting packages trade it.
 * @see J. Welles Wilder, "New Concepts in Technical Trading Systems" (1978), ch. 6
 */
export function rsiReversion(
  bars: Bars,
  {
    period,
    low,
    high,
    side,
  }: { readonly period: number; readonly low: number; readonly high: number; readonly side: Side },
): Decisions {
  const strength = rsi(bars.close, period);
  const start = firstDecisionBar(bars, strength);
  const action = new Uint8Array(strength.length);
  const turn = oppositeAction(side);
  for (let i = start; i < action.length; i++) {
    const before = strength[i - 1]!;
    const now = strength[i]!;
    if (before < low && now > low) action[i] = LONG;
    else if (before > high && now < high) action[i] = turn;
  }
  return { start, action };
}
