import type { Bars } from "../../../src/domain/market/bars.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

/**
 * Bars whose closes move by 1 a bar between turns, with high and low half a point beyond each close: every true range
 * and ATR14 is 1.5, so a swing of 4.5 confirms a pivot half a point beyond the turn.
 */
export function waveTape(...turns: readonly number[]): Bars {
  const closes = [turns[0]!];
  for (const turn of turns.slice(1))
    while (closes.at(-1) !== turn) closes.push(closes.at(-1)! + Math.sign(turn - closes.at(-1)!));
  return barsAround(closes, { high: closes.map((c) => c + 0.5), low: closes.map((c) => c - 0.5) });
}

/** The bars with every price `p` replaced by `sum - p`. */
export function upsideDown(bars: Bars, sum: number): Bars {
  const flipped = (prices: Float64Array) => prices.map((price) => sum - price);
  return {
    ...bars,
    open: flipped(bars.open),
    high: flipped(bars.low),
    low: flipped(bars.high),
    close: flipped(bars.close),
  };
}
