import type { Bars } from "../../domain/market/bars.ts";
import { type Side, towardProfit } from "../levels/side.ts";

/** Maximum number of bars a trade is held, including the entry bar. */
export const TIME_EXIT = 20;

/** Plan of a trade decided at the close of one bar. */
export interface TradePlan {
  readonly side: Side;
  readonly stop: number;
  readonly target: number;
}

/**
 * Returns the change from the close of bar `at` to the close `horizon` bars later, as a fraction; null if that bar
 * does not exist yet or a close is not a valid price.
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
 * Returns the result of a signal of bar `at` in R: gain over the risk taken, |fill - stop|. The trade fills at the next
 * open; an open at or beyond stop or target voids the plan. In each bar, an open beyond stop or target exits at the
 * open; otherwise the stop if touched, then the target if touched; at last the close of the 20th bar. Null without
 * prices and until all 20 bars exist, even if the trade has already ended: otherwise losses, which end sooner, would be
 * counted before gains.
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
