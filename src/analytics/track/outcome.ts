import type { Bars } from "../../domain/market/bars.ts";
import { type Side, towardProfit } from "../levels/side.ts";

/** Bars a trade is held at most; the bar of the entry is the first. */
export const TIME_EXIT = 20;

/** Plan of a trade, decided at the close of one bar. */
export interface TradePlan {
  readonly side: Side;
  readonly stop: number;
  readonly target: number;
}

/**
 * Change from the close of bar `at` to that of the bar `horizon` bars later, as a fraction; null while that bar does
 * not exist or where a close is no price.
 */
export function closeReturn(
  close: Float64Array,
  { at, horizon }: { readonly at: number; readonly horizon: number },
): number | null {
  const then = close[at];
  const later = close[at + horizon];
  return isPrice(then) && isPrice(later) ? later / then - 1 : null;
}

/**
 * The result in R of a signal of bar `at`: gain over the risk that was taken, |fill - stop|. It fills at the next open; an open at or beyond stop or target voids the
 * plan. From then on, in each bar: an open beyond stop or target fills at the open; else the stop, where the bar
 * touches it; else the target, where it does; at last the close of the 20th bar. Null without prices and until all 20
 * bars exist, also where the trade has ended already: counted at once, losses would come before gains.
 */
export function tradeResult(bars: Bars, at: number, { side, stop, target }: TradePlan): number | null {
  if (at + TIME_EXIT >= bars.close.length) return null;
  const away = towardProfit(side);
  const fill = bars.open[at + 1]!;
  const risk = away * (fill - stop);
  if (!isPrice(fill) || !(risk > 0) || !(away * (target - fill) > 0)) return null;
  const worst = side === "LONG" ? bars.low : bars.high;
  const best = side === "LONG" ? bars.high : bars.low;
  const resultAt = (price: number): number => (away * (price - fill)) / risk;
  for (let bar = at + 1; bar <= at + TIME_EXIT; bar++) {
    const open = bars.open[bar]!;
    if (![open, worst[bar], best[bar], bars.close[bar]].every(isPrice)) return null;
    if (away * (open - stop) <= 0 || away * (open - target) >= 0) return resultAt(open);
    if (away * (worst[bar]! - stop) <= 0) return resultAt(stop);
    if (away * (best[bar]! - target) >= 0) return resultAt(target);
  }
  return resultAt(bars.close[at + TIME_EXIT]!);
}

const isPrice = (value: number | undefined): value is number =>
  value !== undefined && Number.isFinite(value) && value > 0;
