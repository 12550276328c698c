import type { Bars } from "../../../domain/market/bars.ts";
import { bollinger } from "../../indicators/bollinger.ts";
import { type Decisions, FLAT, LONG, SHORT } from "../types.ts";
import { firstDecisionBar, type Side } from "./decide.ts";

/**
 * Long where the close comes back over the lower band, and out where it reaches the middle; with both sides also short
 * where it comes back under the upper band, and out likewise. Entering on the return into the bands, rather than on
 * the way out of them, is how charting packages trade it. A return that reaches the middle at once enters nothing.
 * @see John Bollinger, "Bollinger on Bollinger Bands" (2001)
 */
export function bollingerReversion(
  bars: Bars,
  { period, width, side }: { readonly period: number; readonly width: number; readonly side: Side },
): Decisions {
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
