import type { PaperOrder } from "../../domain/trading/paper-repository-port.ts";
import { Big, maxBig, minBig, toAmount, ZERO } from "./amount.ts";

/** Orders of a book as they are changed: by client id, and the legs of each entry. */
export interface OrderIndex {
  readonly byId: Map<string, PaperOrder>;
  readonly legs: ReadonlyMap<string, readonly string[]>;
}

/** The orders of a book, to be changed. */
export function indexOrders(working: readonly PaperOrder[]): OrderIndex {
  const legs = new Map<string, string[]>();
  for (const { clientOrderId, parent } of working)
    if (parent !== null) legs.set(parent, [...(legs.get(parent) ?? []), clientOrderId]);
  return { byId: new Map(working.map((order) => [order.clientOrderId, order])), legs };
}

/** Those that are no longer as they were. */
export const changedOrders = ({ byId }: OrderIndex, working: readonly PaperOrder[]): readonly PaperOrder[] =>
  working.map((order) => byId.get(order.clientOrderId)!).filter((order, i) => order !== working[i]);

/** Whether an order may still be filled. */
export const isWorking = ({ status }: PaperOrder): boolean =>
  status === "working" || status === "partially_filled";

/** Changes an order as told; the order after it. */
export function updateOrder(orders: OrderIndex, order: PaperOrder, by: Partial<PaperOrder>): PaperOrder {
  const next = { ...orders.byId.get(order.clientOrderId)!, ...by };
  orders.byId.set(order.clientOrderId, next);
  return next;
}

/** The legs of an entry. */
export const legsOf = (
  { byId, legs }: OrderIndex,
  { clientOrderId }: Pick<PaperOrder, "clientOrderId">,
): readonly PaperOrder[] => (legs.get(clientOrderId) ?? []).map((id) => byId.get(id)!);

/** Units an order still wants: of a leg, what its entry was filled of, less what both legs closed and what others closed. */
export function remainingUnits(orders: OrderIndex, order: PaperOrder): Big {
  const entry = order.parent === null ? undefined : orders.byId.get(order.parent);
  if (entry === undefined) return new Big(order.intent.quantity).minus(order.filledQuantity);
  const size = new Big(order.intent.quantity);
  const bought = isWorking(entry) ? minBig(size, new Big(entry.filledQuantity)) : size;
  return legsOf(orders, entry).reduce((left, leg) => left.minus(leg.filledQuantity), bought);
}

/** Whether a leg still waits for its entry. */
export const isDormant = (orders: OrderIndex, { parent }: PaperOrder): boolean => {
  const entry = parent === null ? undefined : orders.byId.get(parent);
  return entry !== undefined && isWorking(entry) && entry.filledQuantity === "0";
};

/** Ends an order. With an entry end its legs, or are cut down to what it was filled of. */
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
      endOrder(orders, leg, { status: "cancelled", at, reason: "Its entry ended" });
    else updateOrder(orders, leg, { intent: { ...leg.intent, quantity: ended.filledQuantity } });
}

/**
 * Cuts the legs of ended entries down to the position that is held, so that what is closed another way is not closed
 * twice: first those of the oldest entry, whose units are the first to go. Legs of nothing are cancelled.
 */
export function trimLegs(orders: OrderIndex, symbol: string, { held, at }: { held: Big; at: number }): void {
  const entries = [...orders.legs.keys()].flatMap((id) => orders.byId.get(id) ?? []);
  const mine = entries.filter((entry) => entry.intent.symbol === symbol && !isWorking(entry));
  for (const side of ["sell", "buy"] as const) {
    const families = mine
      .map((entry) => legsOf(orders, entry).filter((leg) => leg.intent.side === side && isWorking(leg)))
      .filter((family) => family.length > 0);
    const dues = families.map((family) => ({ family, due: remainingUnits(orders, family[0]!) }));
    const total = dues.reduce((sum, { due }) => sum.plus(due), ZERO());
    let excess = total.minus(maxBig(ZERO(), side === "sell" ? held : held.neg()));
    for (const { family, due } of dues) {
      const cut = minBig(due, excess);
      if (cut.lte(0)) continue;
      excess = excess.minus(cut);
      for (const leg of family)
        if (cut.eq(due))
          endOrder(orders, leg, { status: "cancelled", at, reason: "What it protects is closed" });
        else {
          const quantity = toAmount(new Big(leg.intent.quantity).minus(cut));
          updateOrder(orders, leg, { intent: { ...leg.intent, quantity } });
        }
    }
  }
}
