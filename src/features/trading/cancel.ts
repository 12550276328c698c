import type { Principal } from "../../domain/accounts/access.ts";
import { isWorking, mayFill, type Order } from "../../domain/trading/trading.ts";
import type { BrokerOrder } from "../../domain/trading/trading-port.ts";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { applyOrderChange, type ReconcilePorts, readOrderChange } from "./reconcile.ts";
import { orderAuditData, recordAudit } from "./record-audit.ts";
import { requireLiveAccess, resolveConnection } from "./resolve-connection.ts";

/** What came of cancelling an order: its legs that were asked to be cancelled, as the broker tells of them now. */
export interface CancelResult {
  readonly order: Order;
  readonly legs: readonly BrokerOrder[];
}

/**
 * Asks the broker to cancel what is not filled and reads back what came of it; of an order that was filled before, the
 * legs that still work. NOT_FOUND for no order of the account's.
 */
export async function cancelOrderAndLegs(
  id: string,
  principal: Principal,
  ports: ReconcilePorts,
): Promise<CancelResult> {
  const order = await requireOrder(id, principal, ports);
  if (isWorking(order)) return { order: await cancelOrder(id, principal, ports), legs: [] };
  return { order, legs: await cancelLegs(order, principal, ports) };
}

/** The same of what is not filled alone: legs of an order that is over work on. */
export async function cancelOrder(id: string, principal: Principal, ports: ReconcilePorts): Promise<Order> {
  const { account } = principal;
  const order = await requireOrder(id, principal, ports);
  if (!isWorking(order)) return order;
  if (!(await isConnected(order, account, ports)))
    throw new ToolError("CONFLICT", "The connection of this order was disconnected", {
      hint: "Cancel it at the broker itself: nothing here reaches it any more.",
    });

  const line = await resolveConnection(ports, account, order.connection_id);
  // what is working is called off even where nothing more is sent
  requireLiveAccess(line, principal, { live: true });
  const found = await line.broker.find(order.client_order_id);
  if (found !== null) {
    const failure = await line.broker.cancel(found.id).then(
      () => null,
      (cause: unknown) => asToolError(cause),
    );
    const about = { ...orderAuditData(order), failure: failure?.message ?? null };
    await recordAudit(ports, account, "order_cancelled", about);
    if (failure !== null) throw failure;
  }
  const change = await readOrderChange(order, line.broker, ports.clock);
  const now = change === null ? order : await applyOrderChange(order, change, account, ports);
  if (found === null && isWorking(now))
    throw new ToolError("CONFLICT", "The broker does not know the order yet", {
      hint: "reconcile_orders tells what became of it; it can be cancelled once it is known.",
    });
  return now;
}

async function requireOrder(
  id: string,
  { account }: Principal,
  { tradeBook }: ReconcilePorts,
): Promise<Order> {
  const order = await tradeBook.order(account, id);
  if (order !== null) return order;
  throw new ToolError("NOT_FOUND", "There is no such order", {
    hint: "list_orders shows those of this account.",
  });
}

const isConnected = async (
  order: Order,
  account: string,
  { connections }: ReconcilePorts,
): Promise<boolean> =>
  (await connections.list(account)).some(({ connection_id }) => connection_id === order.connection_id);

/** Legs outlive their entry: they are cancelled one by one, and read back. What cannot be reached any more is left. */
async function cancelLegs(
  order: Order,
  principal: Principal,
  ports: ReconcilePorts,
): Promise<readonly BrokerOrder[]> {
  const { account } = principal;
  const { stop_loss, take_profit } = order.intent;
  if (Number(order.filled_quantity) === 0 || (stop_loss === null && take_profit === null)) return [];
  if (!(await isConnected(order, account, ports))) return [];
  const line = await resolveConnection(ports, account, order.connection_id);
  const read = async () =>
    (await line.broker.orders({ since: order.created_at })).filter(
      ({ entry }) => entry === order.client_order_id,
    );
  const legs = (await read()).filter(({ status }) => mayFill(status));
  if (legs.length === 0) return [];
  // what is working is called off even where nothing more is sent
  requireLiveAccess(line, principal, { live: true });
  let failure: ToolError | null = null;
  for (const { id } of legs)
    await line.broker.cancel(id).catch((cause: unknown) => {
      failure ??= asToolError(cause);
    });
  const about = { ...orderAuditData(order), legs: legs.map(({ clientOrderId }) => clientOrderId) };
  const failed = failure as ToolError | null;
  await recordAudit(ports, account, "order_cancelled", { ...about, failure: failed?.message ?? null });
  const ids = new Set(legs.map(({ id }) => id));
  const now = (await read()).filter(({ id }) => ids.has(id));
  if (failed !== null && now.some(({ status }) => mayFill(status))) throw failed;
  return now;
}
