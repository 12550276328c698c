import type { Bars } from "../../domain/market/bars.ts";
import type { PlanEnd } from "../../domain/odds/plan-end.ts";
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

/**
 * Returns the logs of the ratio of the highest high and the lowest low of the `horizon` bars after bar `at` to its
 * close. All of those bars must exist.
 */
export function extremesAfter(
  { high, low, close }: Pick<Bars, "high" | "low" | "close">,
  { at, horizon }: { readonly at: number; readonly horizon: number },
): { readonly highest: number; readonly lowest: number } {
  let [highest, lowest] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let bar = at + 1; bar <= at + horizon; bar++) {
    highest = Math.max(highest, high[bar]!);
    lowest = Math.min(lowest, low[bar]!);
  }
  return { highest: Math.log(highest / close[at]!), lowest: Math.log(lowest / close[at]!) };
}

/**
 * Returns how a plan from the close of bar `at` ended within 20 bars: at an open beyond stop or target, else at the
 * stop, else at the target. Null until all 20 bars exist, and if the close is not between stop and target.
 */
export function planEnd(
  { open, high, low, close }: Pick<Bars, "open" | "high" | "low" | "close">,
  at: number,
  { stop, target }: Pick<TradePlan, "stop" | "target">,
): PlanEnd | null {
  if (at + TIME_EXIT >= close.length) return null;
  const away = stop < target ? 1 : -1;
  if (!(away * (close[at]! - stop) > 0) || !(away * (target - close[at]!) > 0)) return null;
  const [worst, best] = away > 0 ? [low, high] : [high, low];
  for (let bar = at + 1; bar <= at + TIME_EXIT; bar++) {
    if (away * (open[bar]! - target) >= 0) return "target";
    if (away * (worst[bar]! - stop) <= 0) return "stop";
    if (away * (best[bar]! - target) >= 0) return "target";
  }
  return "neither";
}

const isPrice = (value: number | undefined): value is number =>
  value !== undefined && Number.isFinite(value) && value > 0;
