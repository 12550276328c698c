import type { Bars } from "../../../domain/market/bars.ts";
import { bollinger } from "../../indicators/bollinger.ts";
import { rsi } from "../../indicators/rsi.ts";
import { type Decisions, FLAT, LONG, SHORT } from "../types.ts";
import { firstDecisionBar, oppositeAction, type Side } from "./decide.ts";

/** RSI period in bars, and RSI levels. */
export type RsiReversion = {
  readonly period: number;
  readonly low: number;
  readonly high: number;
  readonly side: Side;
};

/**
 * Goes long when the RSI crosses back above `low`; goes short, or closes, when it crosses back below `high`. Like
 * charting packages, it enters on the way back rather than on the way out.
 * @see J. Welles Wilder, "New Concepts in Technical Trading Systems" (1978), ch. 6
 */
export function rsiReversion(bars: Bars, { period, low, high, side }: RsiReversion): Decisions {
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

/** Period in bars, and width of a band in standard deviations. */
export type BollingerReversion = { readonly period: number; readonly width: number; readonly side: Side };

/**
 * Goes long when the close crosses back above the lower band and closes at the middle band; with both sides, also goes
 * short when it crosses back below the upper band, and closes at the middle. Like charting packages, it enters on the
 * return into the bands rather than on the way out. A return that reaches the middle at the same bar does not enter.
 * @see John Bollinger, "Bollinger on Bollinger Bands" (2001)
 */
export function bollingerReversion(bars: Bars, { period, width, side }: BollingerReversion): Decisions {
  const { close } = bars;
  const { upper, middle, lower } = bollinger(close, period, width);
  const start = firstDecisionBar(bars, middle);
  const action = new Uint8Array(close.length);
  for (let i = start; i < action.length; i++) {
    const before = close[i - 1]!;
    const now = close[i]!;
    const mean = middle[i]!;
    if (before < middle[i - 1]! ? now >= mean : before > middle[i - 1]! && now <= mean) action[i] = FLAT;
    else if (before < lower[i - 1]! && now > lower[i]!) action[i] = LONG;
    else if (side === "both" && before > upper[i - 1]! && now < upper[i]!) action[i] = SHORT;
  }
  return { start, action };
}
