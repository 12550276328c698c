import { mayFill } from "../../domain/trading/trading.ts";
import type { BrokerOrder } from "../../domain/trading/trading-port.ts";
import { type Decimal, decimal, maxDecimal, minDecimal, truncated } from "../../lib/decimal.ts";

/**
 * Returns the working orders that can execute. Legs are limited to the filled quantity of their entry; legs of an
 * unfilled entry are dropped. An entry missing from `orders` is finished, and its legs are returned unchanged.
 */
export function effectiveOrders(orders: readonly BrokerOrder[]): readonly BrokerOrder[] {
  return orders
    .filter(({ status }) => mayFill(status))
    .flatMap((order) => {
      const entry =
        order.entry === null ? undefined : orders.find(({ clientOrderId }) => clientOrderId === order.entry);
      // legs of a filled entry are not limited: after a split they have the adjusted quantity
      if (entry === undefined || entry.status === "filled") return [order];
      const filled = decimal(entry.filledQuantity);
      if (filled.lte(0)) return [];
      const quantity = maxDecimal(minDecimal(decimal(order.quantity), filled), decimal(order.filledQuantity));
      return [{ ...order, quantity: truncated(quantity) }];
    });
}

/** Returns the units that working legs on the given side would close, and the client order ids of their entries. */
export function workingLegs(
  symbol: string,
  side: BrokerOrder["side"],
  orders: readonly BrokerOrder[],
): { readonly units: Decimal; readonly entries: readonly string[] } {
  const legs = orders.filter((one) => one.leg !== null && one.symbol === symbol && one.side === side);
  const sum = (entry: string | null, leg: BrokerOrder["leg"]) =>
    legs
      .filter((one) => one.entry === entry && one.leg === leg)
      .reduce(
        (total, { quantity, filledQuantity }) => total.plus(quantity).minus(filledQuantity),
        decimal(0),
      );
  const entries = [...new Set(legs.map(({ entry }) => entry))];
  // stop and target of an entry close the same units
  const units = entries.reduce(
    (total, entry) => total.plus(maxDecimal(sum(entry, "stop_loss"), sum(entry, "take_profit"))),
    decimal(0),
  );
  return { units, entries: entries.filter((entry) => entry !== null) };
}
