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

/** How a trade went. */
export type TradeResult =
  | {
      /** Gain over the risk that was taken, |fill - stop|; -1 is a stop hit at its price. */
      readonly r: number;
      readonly exit: "stop" | "target" | "time";
      /** Bars held, 1 where it ended on the bar it was entered. */
      readonly held: number;
      readonly reason: null;
    }
  | { readonly r: null; readonly reason: string };

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
 * The result in R of a signal of bar `at`. It fills at the next open; an open at or beyond stop or target voids the
 * plan. From then on, in each bar: an open beyond stop or target fills at the open; else the stop, where the bar
 * touches it; else the target, where it does; at last the close of the 20th bar. Null until all 20 bars exist, also
 * where the trade has ended already: counted at once, losses would come before gains.
 */
export function tradeResult(bars: Bars, at: number, { side, stop, target }: TradePlan): TradeResult {
  if (at + TIME_EXIT >= bars.close.length) return none(`${TIME_EXIT} bars after the signal do not exist yet`);
  const away = towardProfit(side);
  const fill = bars.open[at + 1]!;
  if (!isPrice(fill)) return none("The bar after the signal has no open");
  const risk = away * (fill - stop);
  if (!(risk > 0)) return none("The next bar opened beyond the stop");
  if (!(away * (target - fill) > 0)) return none("The next bar opened beyond the target");
  const worst = side === "LONG" ? bars.low : bars.high;
  const best = side === "LONG" ? bars.high : bars.low;
  const ended = (price: number, exit: "stop" | "target" | "time", held: number): TradeResult => ({
    r: (away * (price - fill)) / risk,
    exit,
    held,
    reason: null,
  });
  for (let held = 1; held <= TIME_EXIT; held++) {
    const bar = at + held;
    const open = bars.open[bar]!;
    if (![open, worst[bar], best[bar], bars.close[bar]].every(isPrice))
      return none("A bar of the trade has no prices");
    if (away * (open - stop) <= 0) return ended(open, "stop", held);
    if (away * (open - target) >= 0) return ended(open, "target", held);
    if (away * (worst[bar]! - stop) <= 0) return ended(stop, "stop", held);
    if (away * (best[bar]! - target) >= 0) return ended(target, "target", held);
  }
  return ended(bars.close[at + TIME_EXIT]!, "time", TIME_EXIT);
}

const isPrice = (value: number | undefined): value is number =>
  value !== undefined && Number.isFinite(value) && value > 0;
const none = (reason: string): TradeResult => ({ r: null, reason });
