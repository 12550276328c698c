import type { Clock } from "../../domain/ports.ts";
import { isOpenQuestion, OPEN_QUESTIONS, type Order } from "../../domain/trading/trading.ts";
import type { Broker, BrokerOrder, TradeRepository } from "../../domain/trading/trading-port.ts";
import { asToolError } from "../../kernel/errors.ts";
import { decimal } from "../../lib/decimal.ts";
import { connectionNotFound } from "./open-connection.ts";
import { type AuditPorts, orderAuditData, recordAudit } from "./record-audit.ts";
import { type ConnectionPorts, resolveConnection } from "./resolve-connection.ts";

type OrderChange = Parameters<TradeRepository["change"]>[2];
/** An order that the broker does not know after so long never reached it. */
export const ORDER_GRACE_MS = 60_000;

/** What a broker says of an order, as our book has it. */
export const toOrderChange = (found: BrokerOrder, now: string): OrderChange => ({
  broker_status: found.status,
  filled_quantity: found.filledQuantity,
  average_price: found.averagePrice,
  fees: found.fees,
  reason: found.reason,
  updated_at: now,
});

/** Reads an order back; what is to change of it, null for nothing. Sends nothing. Rejects where the broker is silent. */
export async function readOrderChange(
  order: Order,
  broker: Broker,
  { now }: Clock,
): Promise<OrderChange | null> {
  // before it is asked: an answer that took its time is of then
  const at = now();
  const found = await broker.find(order.client_order_id);
  const open = isOpenQuestion(order);
  if (found !== null) {
    const same =
      found.status === order.broker_status &&
      decimal(found.filledQuantity).eq(order.filled_quantity) &&
      found.fees === order.fees;
    if (same && !open) return null;
    return { ...toOrderChange(found, at.toISOString()), ...(open && { state: "reconciled" as const }) };
  }
  if (!open || at.getTime() - Date.parse(order.created_at) < ORDER_GRACE_MS) return null;
  return {
    state: "reconciled",
    broker_status: "rejected",
    reason: "The broker never had it",
    updated_at: at.toISOString(),
  };
}

export interface ReconcilePorts extends ConnectionPorts, AuditPorts {
  readonly tradeBook: TradeRepository;
  readonly clock: Clock;
}

/** Takes over what was read back of an order, and writes down that it was. */
export async function applyOrderChange(
  order: Order,
  change: OrderChange,
  account: string,
  ports: Pick<ReconcilePorts, "tradeBook" | "audit" | "log">,
): Promise<Order> {
  const kept = (await ports.tradeBook.change(account, order.order_id, change)) ?? order;
  await recordAudit(ports, account, "order_reconciled", { ...orderAuditData(kept), was: order.state });
  return kept;
}

/** What came of reading orders back. */
export interface ReconciledOrder {
  readonly order: Order;
  readonly changed: boolean;
  /** Why it could not be read; null where it was. */
  readonly failure: string | null;
}

const MAX_ORDERS = 1_000;

/** What came of reading back, and how many orders there was no room for. */
export interface ReconcileReport {
  readonly read: readonly ReconciledOrder[];
  readonly omitted: number;
}

interface ReconcileOptions {
  readonly connection?: string | undefined;
  /** Whether the book is put right. */
  readonly keep?: boolean;
  /** Most orders that work; those of which nobody knows are read beside them. */
  readonly most?: number;
}

/** Orders of an account that are not at their end, read back from their brokers one after the other; with `keep` the book is put right. */
export const reconcile = async (
  account: string,
  ports: ReconcilePorts,
  which: ReconcileOptions = {},
): Promise<readonly ReconciledOrder[]> => (await reconcileAll(account, ports, which)).read;

/** The same, and how many were left out. Those of which nobody knows come first, then those that work, the newest first. */
export async function reconcileAll(
  account: string,
  ports: ReconcilePorts,
  { connection, keep = true, most = MAX_ORDERS }: ReconcileOptions = {},
): Promise<ReconcileReport> {
  const { tradeBook, clock } = ports;
  const open = await tradeBook.orders(account, { states: OPEN_QUESTIONS, connection, limit: MAX_ORDERS });
  const working = await tradeBook.orders(account, { working: true, connection, limit: most });
  const orders = [...open, ...working.filter((order) => !isOpenQuestion(order))];
  const all = await tradeBook.working(account, connection);
  const here = new Set((await ports.connections.list(account)).map(({ connection_id }) => connection_id));
  const read: ReconciledOrder[] = [];
  // credentials are opened once for all orders of a connection
  const lines = new Map<string, ReturnType<typeof resolveConnection>>();
  const line = (id: string) => {
    const found = lines.get(id) ?? resolveConnection(ports, account, id);
    lines.set(id, found);
    return found;
  };
  for (const order of orders) {
    try {
      const change = here.has(order.connection_id)
        ? await readOrderChange(order, (await line(order.connection_id)).broker, clock)
        : await removedConnectionChange(order, account, ports);
      const kept =
        change === null || !keep
          ? { ...order, ...change }
          : await applyOrderChange(order, change, account, ports);
      read.push({ order: kept, changed: change !== null, failure: null });
    } catch (cause) {
      read.push({ order, changed: false, failure: asToolError(cause).message });
    }
  }
  return { read, omitted: Math.max(0, all - orders.length) };
}

/** What to change of an order whose connection is gone: on paper nothing fills it any more. Rejects for others. */
async function removedConnectionChange(
  order: Order,
  account: string,
  { tradeBook, clock }: Pick<ReconcilePorts, "tradeBook" | "clock">,
): Promise<OrderChange> {
  const ticket = await tradeBook.ticket(account, order.ticket_id);
  if (ticket?.shown.account_type !== "paper") throw connectionNotFound();
  return {
    state: "reconciled",
    broker_status: "cancelled",
    updated_at: clock.now().toISOString(),
    reason: "Its paper connection was removed",
  };
}
