import type { Bars } from "../../../domain/market/bars.ts";
import { supertrend } from "../../indicators/supertrend.ts";
import { type Decisions, LONG } from "../types.ts";
import { firstDecisionBar, oppositeAction, type Side } from "./decide.ts";

/** Long where Supertrend turns up; short, or out, where it turns down. @see Olivier Seban (2009) */
export function supertrendReversal(
  bars: Bars,
  { period, multiple, side }: { readonly period: number; readonly multiple: number; readonly side: Side },
): Decisions {
  const { direction } = supertrend(bars.high, bars.low, bars.close, period, multiple);
  const start = firstDecisionBar(bars, direction);
  const action = new Uint8Array(direction.length);
  const turn = oppositeAction(side);
  for (let i = start; i < action.length; i++)
    if (direction[i] !== direction[i - 1]) action[i] = direction[i] === 1 ? LONG : turn;
  return { start, action };
}
