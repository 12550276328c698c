import type { PaperOrder } from "../../domain/trading/paper-repository-port.ts";
import { Big, maxBig, minBig, toAmount, ZERO } from "./amount.ts";

/** Mutable index of an account's orders: by client id, and the legs of each entry. */
export interface OrderIndex {
  readonly byId: Map<string, PaperOrder>;
  readonly legs: ReadonlyMap<string, readonly string[]>;
}

export function indexOrders(working: readonly PaperOrder[]): OrderIndex {
  const legs = new Map<string, string[]>();
  for (const { clientOrderId, parent } of working)
    if (parent !== null) legs.set(parent, [...(legs.get(parent) ?? []), clientOrderId]);
  return { byId: new Map(working.map((order) => [order.clientOrderId, order])), legs };
}

export const changedOrders = ({ byId }: OrderIndex, working: readonly PaperOrder[]): readonly PaperOrder[] =>
  working.map((order) => byId.get(order.clientOrderId)!).filter((order, i) => order !== working[i]);

/** Returns true for an order that may still be filled. */
export const isWorking = ({ status }: PaperOrder): boolean =>
  status === "working" || status === "partially_filled";

/** Stores a changed copy of the order in the index and returns it. */
export function updateOrder(orders: OrderIndex, order: PaperOrder, by: Partial<PaperOrder>): PaperOrder {
  const next = { ...orders.byId.get(order.clientOrderId)!, ...by };
  orders.byId.set(order.clientOrderId, next);
  return next;
}

export const legsOf = (
  { byId, legs }: OrderIndex,
  { clientOrderId }: Pick<PaperOrder, "clientOrderId">,
): readonly PaperOrder[] => (legs.get(clientOrderId) ?? []).map((id) => byId.get(id)!);

/**
 * Returns the units left to fill; for a leg, the filled units of its entry minus the units already closed by
 * either leg or other orders.
 */
export function remainingUnits(orders: OrderIndex, order: PaperOrder): Big {
  const entry = order.parent === null ? undefined : orders.byId.get(order.parent);
  if (entry === undefined) return new Big(order.intent.quantity).minus(order.filledQuantity);
  const size = new Big(order.intent.quantity);
  const bought = isWorking(entry) ? minBig(size, new Big(entry.filledQuantity)) : size;
  return legsOf(orders, entry).reduce((left, leg) => left.minus(leg.filledQuantity), bought);
}

/** Returns true for a leg whose entry is not filled yet. */
export const isDormant = (orders: OrderIndex, { parent }: PaperOrder): boolean => {
  const entry = parent === null ? undefined : orders.byId.get(parent);
  return entry !== undefined && isWorking(entry) && entry.filledQuantity === "0";
};

/** Ends an order. The legs of an entry end with it, or are reduced to its filled units. */
export function endOrder(
  orders: OrderIndex,
  order: PaperOrder,
  by: { readonly status: PaperOrder["status"]; readonly at: number; readonly reason?: string | null },
): void {
  const { status, at, reason = null } = by;
  const ended = updateOrder(orders, order, { status, reason, updatedAt: new Date(at).toISOString() });
  if (ended.parent !== null) return;
  for (const leg of legsOf(orders, ended).filter(isWorking))
    if (ended.filledQuantity === "0")
      endOrder(orders, leg, { status: "cancelled", at, reason: "Its entry order ended" });
    else updateOrder(orders, leg, { intent: { ...leg.intent, quantity: ended.filledQuantity } });
}

/**
 * Reduces the legs of ended entries to the size of the position, so that no unit is closed twice, beginning with the
 * legs of the oldest entry, because its units are closed first. Legs without units are cancelled.
 */
export function trimLegs(orders: OrderIndex, symbol: string, { held, at }: { held: Big; at: number }): void {
  const entries = [...orders.legs.keys()].flatMap((id) => orders.byId.get(id) ?? []);
  const endedEntries = entries.filter((entry) => entry.intent.symbol === symbol && !isWorking(entry));
  for (const side of ["sell", "buy"] as const) {
    const families = endedEntries
      .map((entry) => legsOf(orders, entry).filter((leg) => leg.intent.side === side && isWorking(leg)))
      .filter((family) => family.length > 0);
    const unitsByFamily = families.map((family) => ({ family, due: remainingUnits(orders, family[0]!) }));
    const total = unitsByFamily.reduce((sum, { due }) => sum.plus(due), ZERO());
    let excess = total.minus(maxBig(ZERO(), side === "sell" ? held : held.neg()));
    for (const { family, due } of unitsByFamily) {
      const cut = minBig(due, excess);
      if (cut.lte(0)) continue;
      excess = excess.minus(cut);
      for (const leg of family)
        if (cut.eq(due))
          endOrder(orders, leg, {
            status: "cancelled",
            at,
            reason: "The position it protects is closed",
          });
        else {
          const quantity = toAmount(new Big(leg.intent.quantity).minus(cut));
          updateOrder(orders, leg, { intent: { ...leg.intent, quantity } });
        }
    }
  }
}
