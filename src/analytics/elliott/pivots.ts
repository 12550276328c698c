import type { Bars } from "../../domain/market/bars.ts";
import { type Pivot, zigzag } from "../levels/zigzag.ts";

/** The unconfirmed swing since the last confirmed pivot. */
export interface Leg {
  readonly up: boolean;
  /** Extreme price so far in the direction of the leg. */
  readonly reached: number;
  /** Extreme price so far in the other direction; NaN without a bar since the pivot. */
  readonly adverse: number;
}

/** Confirmed pivots, oldest first, and the current leg since the last one; null without a pivot. */
export interface Swings {
  readonly pivots: readonly Pivot[];
  readonly leg: Leg | null;
}

/** Returns the swings at the last closed bar; a pivot is confirmed when price retraces `k` ATR14 from it. */
export function pivotsOf(bars: Pick<Bars, "high" | "low">, atr: Float64Array, k = 3): Swings {
  const pivots = zigzag(bars.high, bars.low, atr, k);
  const last = pivots.at(-1);
  return { pivots, leg: last === undefined ? null : legSince(last, bars, bars.high.length - 1) };
}

/** Returns the leg that started at a pivot, as of the close of a bar. */
export function legSince(pivot: Pivot, { high, low }: Pick<Bars, "high" | "low">, bar: number): Leg {
  let top = Number.NaN;
  let bottom = Number.NaN;
  for (let i = pivot.index + 1; i <= bar; i++) {
    if (!(high[i]! <= top)) top = high[i]!;
    if (!(low[i]! >= bottom)) bottom = low[i]!;
  }
  return pivot.kind === "low"
    ? { up: true, reached: top, adverse: bottom }
    : { up: false, reached: bottom, adverse: top };
}
