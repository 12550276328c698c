import type { Side } from "../../domain/trading/trading.ts";
import { formatPrice } from "../../lib/format-price.ts";
import type { TradePlan } from "./size.ts";

/**
 * Returns a sentence when the price of an order is outside the levels of the signal that it follows; null inside them
 * and for an order on the other side.
 */
export function outsidePlanNote(plan: TradePlan, side: Side, price: number): string | null {
  const { signal, entry, stop, target } = plan;
  if (signal.direction !== (side === "buy" ? "LONG" : "SHORT")) return null;
  const way = side === "buy" ? 1 : -1;
  const at = `The price ${formatPrice(price)} is`;
  if (way * (price - stop) <= 0)
    return `${at} beyond the stop ${formatPrice(stop)} of the signal, which does not hold there.`;
  if (target !== null && way * (price - target) >= 0)
    return `${at} beyond the first target ${formatPrice(target)} of the signal: the expected move is over.`;
  if (price >= entry.low && price <= entry.high) return null;
  return `${at} outside the signal's entry zone of ${formatPrice(entry.low)} to ${formatPrice(entry.high)}.`;
}
