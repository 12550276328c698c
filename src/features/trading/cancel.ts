import type { Principal } from "../../domain/accounts/access.ts";
import { isWorking, mayFill, type Order } from "../../domain/trading/trading.ts";
import type { BrokerOrder } from "../../domain/trading/trading-port.ts";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { applyOrderChange, type ReconcilePorts, readOrderChange } from "./reconcile.ts";
import { orderAuditData, recordAudit } from "./record-audit.ts";
import { requireLiveAccess, resolveConnection } from "./resolve-connection.ts";

/**
 * Cancels the unfilled part of an order, or the working legs of one that is already filled. Returns the order and its
 * legs as the broker reports them afterwards. @throws ToolError NOT_FOUND for an unknown order or one of another
 * account
 */
export async function cancelOrderAndLegs(
  id: string,
  principal: Principal,
  ports: ReconcilePorts,
): Promise<{ readonly order: Order; readonly legs: readonly BrokerOrder[] }> {
  const order = await requireOrder(id, principal, ports);
  if (isWorking(order)) return { order: await cancelOrder(id, principal, ports), legs: [] };
  return { order, legs: await cancelLegs(order, principal, ports) };
}

/** Cancels the unfilled part of an order. Legs of a finished order are not cancelled. Returns the updated order. */
export async function cancelOrder(id: string, principal: Principal, ports: ReconcilePorts): Promise<Order> {
  const { account } = principal;
  const order = await requireOrder(id, principal, ports);
  if (!isWorking(order)) return order;
  if (!(await isConnected(order, account, ports)))
    throw new ToolError("CONFLICT", "The connection of this order was disconnected", {
      hint: "Cancel it at the broker: this server can no longer reach it.",
    });

  const brokerConnection = await resolveConnection(ports, account, order.connection_id);
  // cancelling is allowed even when sending is disabled
  requireLiveAccess(brokerConnection, principal, { live: true });
  const found = await brokerConnection.broker.find(order.client_order_id);
  if (found !== null) {
    const failure = await brokerConnection.broker.cancel(found.id).then(
      () => null,
      (cause: unknown) => asToolError(cause),
    );
    const details = { ...orderAuditData(order), failure: failure?.message ?? null };
    await recordAudit(ports, account, "order_cancelled", details);
    if (failure !== null) throw failure;
  }
  const change = await readOrderChange(order, brokerConnection.broker, ports.clock);
  const current = change === null ? order : await applyOrderChange(order, change, account, ports);
  if (found === null && isWorking(current))
    throw new ToolError("CONFLICT", "The broker does not know the order yet", {
      hint: "Call reconcile_orders for its state; it can be cancelled once the broker reports it.",
    });
  return current;
}

async function requireOrder(id: string, { account }: Principal, ports: ReconcilePorts): Promise<Order> {
  const order = await ports.tradeRepository.order(account, id);
  if (order !== null) return order;
  throw new ToolError("NOT_FOUND", "Order not found", {
    hint: "list_orders lists the orders of this account.",
  });
}

const isConnected = async (order: Order, account: string, ports: ReconcilePorts): Promise<boolean> =>
  (await ports.connections.list(account)).some(({ connection_id }) => connection_id === order.connection_id);

/**
 * Cancels the working legs of a filled entry one by one and returns their new state; empty when the connection was
 * removed.
 */
async function cancelLegs(
  order: Order,
  principal: Principal,
  ports: ReconcilePorts,
): Promise<readonly BrokerOrder[]> {
  const { account } = principal;
  const { stop_loss, take_profit } = order.intent;
  if (Number(order.filled_quantity) === 0 || (stop_loss === null && take_profit === null)) return [];
  if (!(await isConnected(order, account, ports))) return [];
  const brokerConnection = await resolveConnection(ports, account, order.connection_id);
  const read = async () =>
    (await brokerConnection.broker.orders({ since: order.created_at })).filter(
      ({ entry }) => entry === order.client_order_id,
    );
  const legs = (await read()).filter(({ status }) => mayFill(status));
  if (legs.length === 0) return [];
  // cancelling is allowed even when sending is disabled
  requireLiveAccess(brokerConnection, principal, { live: true });
  let failure: ToolError | null = null;
  for (const { id } of legs)
    await brokerConnection.broker.cancel(id).catch((cause: unknown) => {
      failure ??= asToolError(cause);
    });
  const details = { ...orderAuditData(order), legs: legs.map(({ clientOrderId }) => clientOrderId) };
  const failed = failure as ToolError | null;
  await recordAudit(ports, account, "order_cancelled", { ...details, failure: failed?.message ?? null });
  const ids = new Set(legs.map(({ id }) => id));
  const remaining = (await read()).filter(({ id }) => ids.has(id));
  if (failed !== null && remaining.some(({ status }) => mayFill(status))) throw failed;
  return remaining;
}
