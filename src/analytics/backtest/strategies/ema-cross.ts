import type { Bars } from "../../../domain/market/bars.ts";
import { ema } from "../../indicators/ema.ts";
import type { Decisions } from "../types.ts";
import { onCrossing } from "./decide.ts";
import type { Cross } from "./sma-cross.ts";

/** Long where the fast exponential average of the closes crosses over the slow one; short, or out, where under. */
export const emaCross = (bars: Bars, { fast, slow, side }: Cross): Decisions =>
  onCrossing(bars, ema(bars.close, fast), ema(bars.close, slow), side);
