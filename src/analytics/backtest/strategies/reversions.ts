import type { Bars } from "../../../domain/market/bars.ts";
import { bollinger } from "../../indicators/bollinger.ts";
import { rsi } from "../../indicators/rsi.ts";
import { type Decisions, FLAT, LONG, SHORT } from "../types.ts";
import { firstDecisionBar, oppositeAction, type Side } from "./decide.ts";

/** Bars, and the levels of the RSI. */
export type RsiReversion = {
  readonly period: number;
  readonly low: number;
  readonly high: number;
  readonly side: Side;
};

/**
 * Long where the RSI comes back over `low`; short, or out, where it comes back under `high`. Entering on the way back,
 * rather than on the way down, is how charting packages trade it.
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

/** Bars, and standard deviations from the middle to a band. */
export type BollingerReversion = { readonly period: number; readonly width: number; readonly side: Side };

/**
 * Long where the close comes back over the lower band, and out where it reaches the middle; with both sides also short
 * where it comes back under the upper band, and out likewise. Entering on the return into the bands, rather than on
 * the way out of them, is how charting packages trade it. A return that reaches the middle at once enters nothing.
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
