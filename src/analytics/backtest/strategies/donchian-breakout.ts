import type { Bars } from "../../../domain/market/bars.ts";
import { atr } from "../../indicators/atr.ts";
import { donchian } from "../../indicators/donchian.ts";
import { type Decisions, FLAT, HOLD, LONG, SHORT } from "../types.ts";
import { bracket, firstDecisionBar, type Side } from "./decide.ts";

const ATR = 14;

/** Periods in bars; stop and target in multiples of ATR14, 0 for none. */
export type Breakout = {
  readonly period: number;
  readonly exit_period: number;
  readonly stop_atr: number;
  readonly target_atr: number;
  readonly side: Side;
};

/**
 * Goes long when the close is above the highest high of the previous `period` bars; with both sides, goes short when it
 * is below their lowest low. Closes a long when the close is below the lowest low of the previous `exit_period` bars,
 * and a short in the mirrored case. Stop and target are multiples of ATR14 from the close; with both,
 * `exit_period` is not used.
 * @see Curtis Faith, "Way of the Turtle" (2007); Richard Donchian (1957)
 */
export function donchianBreakout(
  bars: Bars,
  { period, exit_period, stop_atr, target_atr, side }: Breakout,
): Decisions {
  const { high, low, close } = bars;
  const entry = donchian(high, low, period);
  const range = stop_atr > 0 || target_atr > 0 ? [atr(high, low, close, ATR)] : [];
  const exit = stop_atr > 0 && target_atr > 0 ? null : donchian(high, low, exit_period);
  const start = firstDecisionBar(bars, entry.upper, ...range, ...(exit === null ? [] : [exit.upper]));
  const action = new Uint8Array(close.length);
  for (let i = start, held = HOLD; i < action.length; i++) {
    const now = close[i]!;
    if (now > entry.upper[i]!) action[i] = held = LONG;
    else if (side === "both" && now < entry.lower[i]!) action[i] = held = SHORT;
    else if (exit !== null && (held === LONG ? now < exit.lower[i]! : held === SHORT && now > exit.upper[i]!))
      action[i] = held = FLAT;
  }
  const [unit] = range;
  if (unit === undefined) return { start, action };
  const column = (multiple: number, sign: 1 | -1) => bracket(close, action, unit, sign * multiple);
  return {
    start,
    action,
    ...(stop_atr > 0 && { stop: column(stop_atr, -1) }),
    ...(target_atr > 0 && { target: column(target_atr, 1) }),
  };
}
