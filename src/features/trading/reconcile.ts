import type { Clock, Ports } from "../../domain/ports.ts";
import { isUnresolved, type Order, UNRESOLVED_STATES } from "../../domain/trading/trading.ts";
import type { Broker, BrokerOrder, TradeRepository } from "../../domain/trading/trading-port.ts";
import { asToolError } from "../../kernel/errors.ts";
import { decimal } from "../../lib/decimal.ts";
import { isAhead } from "../../lib/expiry.ts";
import { orderAuditData, recordAudit } from "./record-audit.ts";
import { type BrokerConnection, connectionNotFound, resolveConnection } from "./resolve-connection.ts";

export type OrderChange = Parameters<TradeRepository["change"]>[2];
/** Age, in milliseconds, after which an order unknown to the broker is treated as never received. */
export const ORDER_GRACE_MS = 60_000;

export const toOrderChange = (found: BrokerOrder, now: string): OrderChange => ({
  broker_status: found.status,
  filled_quantity: found.filledQuantity,
  average_price: found.averagePrice,
  fees: found.fees,
  reason: found.reason,
  updated_at: now,
});

/**
 * Reads an order from its broker and returns the change to store; null when nothing changed. Rejects when the broker is
 * unavailable.
 */
export async function readOrderChange(
  order: Order,
  broker: Broker,
  clock: Clock,
): Promise<OrderChange | null> {
  // taken before the request, because a slow response may describe the state at that time
  const requestedAt = clock.now();
  const found = await broker.find(order.client_order_id);
  const unresolved = isUnresolved(order);
  if (found !== null) {
    const same =
      found.status === order.broker_status &&
      decimal(found.filledQuantity).eq(order.filled_quantity) &&
      found.fees === order.fees;
    if (same && !unresolved) return null;
    return {
      ...toOrderChange(found, requestedAt.toISOString()),
      ...(unresolved && { state: "reconciled" as const }),
    };
  }
  if (!unresolved) return null;
  const now = requestedAt.getTime();
  // an order dated by a clock that was ahead waits from the first time it is read after that
  const [sentAt, readAt] = [Date.parse(order.created_at), Date.parse(order.updated_at)];
  const since = isAhead(sentAt, now) ? readAt : sentAt;
  if (isAhead(since, now)) return { updated_at: requestedAt.toISOString() };
  if (now - since < ORDER_GRACE_MS) return null;
  return {
    state: "reconciled",
    broker_status: "rejected",
    reason: "The broker never received it",
    updated_at: requestedAt.toISOString(),
  };
}

export type ReconcilePorts = Pick<
  Ports,
  "brokers" | "connections" | "tradeRepository" | "audit" | "log" | "clock"
>;

/** Stores the change of an order and writes the audit entry. */
export async function applyOrderChange(
  order: Order,
  change: OrderChange,
  account: string,
  ports: Pick<ReconcilePorts, "tradeRepository" | "audit" | "log">,
): Promise<Order> {
  const stored = (await ports.tradeRepository.change(account, order.order_id, change)) ?? order;
  await recordAudit(ports, account, "order_reconciled", { ...orderAuditData(stored), was: order.state });
  return stored;
}

interface ReconciledOrder {
  readonly order: Order;
  readonly changed: boolean;
  /** Reason why the order could not be read; null when it was. */
  readonly failure: string | null;
}

const MAX_ORDERS = 1_000;

/** Reconciled orders, and the number of orders omitted by the limit. */
interface ReconcileReport {
  readonly read: readonly ReconciledOrder[];
  readonly omitted: number;
}

interface ReconcileOptions {
  readonly connection?: string | undefined;
  /** Stores the changes. Default: true. */
  readonly save?: boolean;
  /** Maximum number of working orders to read; unresolved orders are always read. Default: 1,000. */
  readonly maxWorking?: number;
}

/**
 * Reads the unfinished orders of an account from their brokers, one after the other, and stores the changes unless
 * `save` is false.
 */
export const reconcile = async (
  account: string,
  ports: ReconcilePorts,
  options: ReconcileOptions = {},
): Promise<readonly ReconciledOrder[]> => (await reconcileAll(account, ports, options)).read;

/**
 * Reconciles like `reconcile` and counts omitted orders. Unresolved orders come first, then working orders, newest
 * first.
 */
export async function reconcileAll(
  account: string,
  ports: ReconcilePorts,
  { connection, save = true, maxWorking = MAX_ORDERS }: ReconcileOptions = {},
): Promise<ReconcileReport> {
  const { tradeRepository, clock } = ports;
  const unresolved = await tradeRepository.orders(account, {
    states: UNRESOLVED_STATES,
    connection,
    limit: MAX_ORDERS,
  });
  const working = await tradeRepository.orders(account, { working: true, connection, limit: maxWorking });
  const orders = [...unresolved, ...working.filter((order) => !isUnresolved(order))];
  const all = await tradeRepository.working(account, connection);
  const connected = new Set(
    (await ports.connections.list(account)).map(({ connection_id }) => connection_id),
  );
  const read: ReconciledOrder[] = [];
  // cached, so that the credentials of each connection are decrypted once
  const opened = new Map<string, Promise<BrokerConnection>>();
  const open = (id: string) => {
    const found = opened.get(id) ?? resolveConnection(ports, account, id);
    opened.set(id, found);
    return found;
  };
  for (const order of orders) {
    try {
      const change = connected.has(order.connection_id)
        ? await readOrderChange(order, (await open(order.connection_id)).broker, clock)
        : await removedConnectionChange(order, account, ports);
      const stored =
        change === null || !save
          ? { ...order, ...change }
          : await applyOrderChange(order, change, account, ports);
      read.push({ order: stored, changed: change !== null, failure: null });
    } catch (cause) {
      read.push({ order, changed: false, failure: asToolError(cause).message });
    }
  }
  const omitted = Math.max(0, all - orders.length);
  if (save && omitted === 0) await reconcileRestored(account, { connection, read, open }, ports);
  return { read, omitted };
}

/**
 * Ends the wait of live connections after a restore: their stored orders were read without failure, and the broker lists
 * its orders since the backup. Orders that the backup does not contain are named in the audit log.
 */
async function reconcileRestored(
  account: string,
  {
    connection,
    read,
    open,
  }: {
    readonly connection: string | undefined;
    readonly read: readonly ReconciledOrder[];
    readonly open: (id: string) => Promise<BrokerConnection>;
  },
  ports: ReconcilePorts,
): Promise<void> {
  const { tradeRepository, log } = ports;
  for (const { connection: id, since } of await tradeRepository.unreconciled(account)) {
    if (connection !== undefined && connection !== id) continue;
    if (
      read.some(
        ({ order, failure }) => order.connection_id === id && (failure !== null || isUnresolved(order)),
      )
    )
      continue;
    try {
      const { broker } = await open(id);
      const missing: string[] = [];
      for (const { clientOrderId, leg } of await broker.orders({ since }))
        if (leg === null && (await tradeRepository.order(account, storedId(clientOrderId))) === null)
          missing.push(clientOrderId);
      await ports.audit.write(account, "order_reconciled", {
        connection_id: id,
        since,
        not_in_backup: missing,
      });
      await tradeRepository.setReconciled(account, id);
    } catch (cause) {
      log.warn("connection_unreconciled", { account, connection_id: id, cause });
    }
  }
}

/** Returns the id of the stored order of a client order id. */
const storedId = (clientOrderId: string): string => clientOrderId.replace(/^ms-/, "or_");

/**
 * Returns the change of an order whose connection was removed: a paper order becomes cancelled. Rejects for live
 * orders.
 */
async function removedConnectionChange(
  order: Order,
  account: string,
  { tradeRepository, clock }: Pick<ReconcilePorts, "tradeRepository" | "clock">,
): Promise<OrderChange> {
  const ticket = await tradeRepository.ticket(account, order.ticket_id);
  if (ticket?.shown.account_type !== "paper") throw connectionNotFound();
  return {
    state: "reconciled",
    broker_status: "cancelled",
    updated_at: clock.now().toISOString(),
    reason: "Its paper connection was removed",
  };
}
