import type { Principal } from "../../domain/accounts/access.ts";
import type { Ports } from "../../domain/ports.ts";
import { type AccountType, isWorking, type Order } from "../../domain/trading/trading.ts";
import { ToolError } from "../../kernel/errors.ts";
import { cancelOrder } from "./cancel.ts";
import { connectionNotFound } from "./open-connection.ts";
import { type ReconcilePorts, reconcile } from "./reconcile.ts";

type DisconnectPorts = ReconcilePorts & Pick<Ports, "positionBook">;

const MAX_ORDERS = 1_000;
const MAX_NAMED_ORDERS = 5;

/**
 * Forgets a connection with what opens it and what was synced of it, once that is written down. Its orders are read back
 * first; while one may still be filled it rejects with CONFLICT, unless it is forced: paper orders are cancelled then,
 * others stay at their broker. Those that nobody here can follow any more are returned.
 */
export async function disconnect(
  { connection: id, force }: { readonly connection: string; readonly force: boolean },
  principal: Principal,
  ports: DisconnectPorts,
): Promise<readonly Order[]> {
  const { account } = principal;
  const { connections, audit, positionBook, tradeBook } = ports;
  const known = (await connections.list(account)).find(({ connection_id }) => connection_id === id);
  if (known === undefined) throw connectionNotFound();
  const { broker, account_type, account_mask } = known;
  const read = await reconcile(account, ports, { connection: id });
  const working = read.map(({ order }) => order).filter(isWorking);
  if (working.length > 0 && !force) throw workingOrdersConflict(working);
  if (working.length > 0) requireTradeScope(account_type, principal);
  // without money nothing is lost by an order that is called off
  if (account_type === "paper") await cancelAll(id, principal, ports);
  await audit.write(account, "connection_removed", {
    connection_id: id,
    broker,
    account_type,
    account_mask,
  });
  if (!(await connections.remove(account, id))) throw connectionNotFound();
  await positionBook.removeSynced(account, id);
  // asked last: what was begun meanwhile is told of too
  return tradeBook.orders(account, { working: true, connection: id, limit: MAX_ORDERS });
}

/** Asks once for each order that works to be cancelled, until a read finds no other. */
async function cancelAll(connection: string, principal: Principal, ports: DisconnectPorts): Promise<void> {
  const asked = new Set<string>();
  for (;;) {
    const working = await ports.tradeBook.orders(principal.account, {
      working: true,
      connection,
      limit: MAX_ORDERS,
    });
    const others = working.filter(({ order_id }) => !asked.has(order_id));
    if (others.length === 0) return;
    for (const { order_id } of others) {
      asked.add(order_id);
      await cancelOrder(order_id, principal, ports).catch(ignoreFailure);
    }
  }
}

/** Leaving or cancelling orders that work takes a key that may trade there. Throws SCOPE_REQUIRED. */
function requireTradeScope(type: AccountType, { scopes }: Principal): void {
  const scope = type === "live" ? "trade:live" : "trade:paper";
  if (scopes.includes(scope)) return;
  throw new ToolError("SCOPE_REQUIRED", `Disconnecting while orders work needs the "${scope}" scope`, {
    hint: `Use a key that carries "${scope}", or disconnect it once none of its orders works.`,
    data: { required_scope: scope },
  });
}

/** What could not be cancelled is still in the book as working, and is told of. */
const ignoreFailure = (): null => null;

function workingOrdersConflict(orders: readonly Order[]): ToolError {
  const ids = orders.map(({ order_id }) => order_id);
  const more = ids.length > MAX_NAMED_ORDERS ? ` and ${ids.length - MAX_NAMED_ORDERS} more` : "";
  return new ToolError(
    "CONFLICT",
    `Orders of this connection may still be filled: ${ids.slice(0, MAX_NAMED_ORDERS).join(", ")}${more}`,
    {
      hint: "cancel_order calls one off, reconcile_orders tells what became of an unknown one. With force: true it is disconnected all the same: paper orders are cancelled, others stay at the broker, where nobody here sees them any more.",
      data: { working_orders: ids },
    },
  );
}
