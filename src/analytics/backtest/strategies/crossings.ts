import type { Bars } from "../../../domain/market/bars.ts";
import { ema } from "../../indicators/ema.ts";
import { macd } from "../../indicators/macd.ts";
import type { Series } from "../../indicators/series.ts";
import { sma } from "../../indicators/sma.ts";
import { supertrend } from "../../indicators/supertrend.ts";
import { type Decisions, LONG } from "../types.ts";
import { firstDecisionBar, oppositeAction, type Side } from "./decide.ts";

/** Periods in bars; fast is the shorter one. */
export type Cross = { readonly fast: number; readonly slow: number; readonly side: Side };

/**
 * Goes long when the fast simple moving average crosses above the slow one; goes short, or closes, when it crosses
 * below.
 * @see Brock, Lakonishok & LeBaron, "Simple Technical Trading Rules and the Stochastic Properties of Stock Returns"
 * (1992)
 */
export const smaCross = (bars: Bars, { fast, slow, side }: Cross): Decisions =>
  onCrossing(bars, sma(bars.close, fast), sma(bars.close, slow), side);

/**
 * Goes long when the fast exponential average crosses above the slow one; goes short, or closes, when it crosses below.
 */
export const emaCross = (bars: Bars, { fast, slow, side }: Cross): Decisions =>
  onCrossing(bars, ema(bars.close, fast), ema(bars.close, slow), side);

/**
 * Goes long when the MACD line crosses above its signal line; goes short, or closes, when it crosses below. @see Appel
 * (1979)
 */
export function macdCross(
  bars: Bars,
  { fast, slow, signal, side }: Cross & { readonly signal: number },
): Decisions {
  const lines = macd(bars.close, fast, slow, signal);
  return onCrossing(bars, lines.macd, lines.signal, side);
}

/** Goes long when Supertrend turns up; goes short, or closes, when it turns down. @see Olivier Seban (2009) */
export function supertrendReversal(
  bars: Bars,
  { period, multiple, side }: { readonly period: number; readonly multiple: number; readonly side: Side },
): Decisions {
  const { direction } = supertrend(bars.high, bars.low, bars.close, period, multiple);
  return onCrossing(bars, direction, new Float64Array(direction.length), side);
}

/**
 * Decides LONG when `a` crosses from below to above `b`, and the opposite action when it crosses from above to below.
 * Touching `b` is not a crossing.
 */
function onCrossing(bars: Bars, a: Series, b: Series, side: Side): Decisions {
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
