import type { Bars } from "../../../domain/market/bars.ts";
import { macd } from "../../indicators/macd.ts";
import type { Decisions } from "../types.ts";
import { onCrossing } from "./decide.ts";
import type { Cross } from "./sma-cross.ts";

/** Long where the MACD line crosses over its signal line; short, or out, where it crosses under. @see Appel (1979) */
export function macdCross(
  bars: Bars,
  { fast, slow, signal, side }: Cross & { readonly signal: number },
): Decisions {
  const lines = macd(bars.close, fast, slow, signal);
  return onCrossing(bars, lines.macd, lines.signal, side);
}
