import { mayFill } from "../../domain/trading/trading.ts";
import type { BrokerOrder } from "../../domain/trading/trading-port.ts";
import { type Decimal, decimal, maxDecimal, minDecimal, truncated } from "../../lib/decimal.ts";

/**
 * Orders that work at a broker and have something to close or to open: legs are as large as what their entry has filled,
 * and none of an entry that has filled nothing. An entry that is not among `orders` is over, and its legs stand as told.
 */
export function effectiveOrders(orders: readonly BrokerOrder[]): readonly BrokerOrder[] {
  return orders
    .filter(({ status }) => mayFill(status))
    .flatMap((one) => {
      const entry =
        one.entry === null ? undefined : orders.find(({ clientOrderId }) => clientOrderId === one.entry);
      // shares may have been split since: what is filled whole is told by the leg
      if (entry === undefined || entry.status === "filled") return [one];
      const filled = decimal(entry.filledQuantity);
      if (filled.lte(0)) return [];
      const most = maxDecimal(minDecimal(decimal(one.quantity), filled), decimal(one.filledQuantity));
      return [{ ...one, quantity: truncated(most) }];
    });
}

/** Units that working legs would close by trades of that side, and the entries whose they are, by their client order ids. */
export function workingLegs(
  symbol: string,
  side: BrokerOrder["side"],
  guards: readonly BrokerOrder[],
): { readonly units: Decimal; readonly entries: readonly string[] } {
  const legs = guards.filter((one) => one.leg !== null && one.symbol === symbol && one.side === side);
  const sum = (entry: string | null, leg: BrokerOrder["leg"]) =>
    legs
      .filter((one) => one.entry === entry && one.leg === leg)
      .reduce((all, { quantity, filledQuantity }) => all.plus(quantity).minus(filledQuantity), decimal(0));
  const entries = [...new Set(legs.map(({ entry }) => entry))];
  // stop and target of an entry close the same units
  const units = entries.reduce(
    (all, entry) => all.plus(maxDecimal(sum(entry, "stop_loss"), sum(entry, "take_profit"))),
    decimal(0),
  );
  return { units, entries: entries.filter((entry) => entry !== null) };
}
