import type { Bars } from "../../../domain/market/bars.ts";
import { sma } from "../../indicators/sma.ts";
import type { Decisions } from "../types.ts";
import { onCrossing, type Side } from "./decide.ts";

/** Periods in bars; fast is the shorter one. */
export type Cross = { readonly fast: number; readonly slow: number; readonly side: Side };

/**
 * Long where the fast simple average of the closes crosses over the slow one; short, or out, where it crosses under.
 * @see Brock, Lakonishok & LeBaron, "Simple Technical Trading Rules and the Stochastic Properties of Stock Returns" (1992)
 */
export const smaCross = (bars: Bars, { fast, slow, side }: Cross): Decisions =>
  onCrossing(bars, sma(bars.close, fast), sma(bars.close, slow), side);
