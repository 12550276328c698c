import type { Bars } from "../../../domain/market/bars.ts";
import { atr } from "../../indicators/atr.ts";
import { donchian } from "../../indicators/donchian.ts";
import { type Decisions, FLAT, HOLD, LONG, SHORT } from "../types.ts";
import { bracket, firstDecisionBar, type Side } from "./decide.ts";

const ATR = 14;

/** Bars, and multiples of ATR14 where 0 is none. */
export type Breakout = {
  readonly period: number;
  readonly exit_period: number;
  readonly stop_atr: number;
  readonly target_atr: number;
  readonly side: Side;
};

/**
 * Long where the close is over the highest high of the `period` bars before, with both sides short where it is under
 * their lowest low. A long is left where the close is under the lowest low of the `exit_period` bars before, a short
 * mirrored. Stop and target lie multiples of ATR14 from the close; an entry that has both is left to them alone.
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
