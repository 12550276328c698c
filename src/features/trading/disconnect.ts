import type { Principal } from "../../domain/accounts/access.ts";
import type { Ports } from "../../domain/ports.ts";
import { type AccountType, isWorking, type Order } from "../../domain/trading/trading.ts";
import { ToolError } from "../../kernel/errors.ts";
import { cancelOrder } from "./cancel.ts";
import { type ReconcilePorts, reconcile } from "./reconcile.ts";
import { connectionNotFound } from "./resolve-connection.ts";

type DisconnectPorts = ReconcilePorts & Pick<Ports, "positionRepository">;

const MAX_ORDERS = 1_000;
const MAX_NAMED_ORDERS = 5;

/**
 * Removes a connection with its credentials and synced positions, after writing the audit entry. Reconciles its orders
 * first and rejects with CONFLICT while an order may still fill. With `force`, paper orders are cancelled instead and
 * live orders stay at the broker. Returns the orders still working, which can no longer be tracked.
 */
export async function disconnect(
  { connection: id, force }: { readonly connection: string; readonly force: boolean },
  principal: Principal,
  ports: DisconnectPorts,
): Promise<readonly Order[]> {
  const { account } = principal;
  const { connections, audit, positionRepository, tradeRepository } = ports;
  const connection = (await connections.list(account)).find(({ connection_id }) => connection_id === id);
  if (connection === undefined) throw connectionNotFound();
  if (connection.connected_at === null)
    throw new ToolError(
      "CONFLICT",
      "The built-in paper account was not used yet: there is nothing to remove",
      {
        hint: "connect_broker adds a broker account, or a paper account with another equity, in its place.",
      },
    );
  const { broker, account_type, account_mask } = connection;
  const read = await reconcile(account, ports, { connection: id });
  const working = read.map(({ order }) => order).filter(isWorking);
  if (working.length > 0 && !force) throw workingOrdersConflict(working);
  if (working.length > 0) requireTradeScope(account_type, principal);
  // paper orders can be cancelled at no cost
  if (account_type === "paper") await cancelAll(id, principal, ports);
  const removed = { connection_id: id, broker, account_type, account_mask };
  await audit.write(account, "connection_removed", removed);
  if (!(await connections.remove(account, id))) throw connectionNotFound();
  await positionRepository.removeSynced(account, id);
  // read last, to include orders created in the meantime
  return tradeRepository.orders(account, { working: true, connection: id, limit: MAX_ORDERS });
}

/** Sends one cancel request per working order, and repeats until no new working order is found. */
async function cancelAll(connection: string, principal: Principal, ports: DisconnectPorts): Promise<void> {
  const requested = new Set<string>();
  for (;;) {
    const working = await ports.tradeRepository.orders(principal.account, {
      working: true,
      connection,
      limit: MAX_ORDERS,
    });
    const remaining = working.filter(({ order_id }) => !requested.has(order_id));
    if (remaining.length === 0) return;
    for (const { order_id } of remaining) {
      requested.add(order_id);
      // an order that could not be cancelled stays working in the repository and is returned
      await cancelOrder(order_id, principal, ports).catch(() => null);
    }
  }
}

/** Requires the trade scope of the account type to leave or cancel working orders. @throws ToolError SCOPE_REQUIRED */
function requireTradeScope(type: AccountType, { scopes }: Principal): void {
  const scope = type === "live" ? "trade:live" : "trade:paper";
  if (scopes.includes(scope)) return;
  throw new ToolError("SCOPE_REQUIRED", `Disconnecting with working orders requires the "${scope}" scope`, {
    hint: `Use a key with "${scope}", or disconnect once no order is working.`,
    data: { required_scope: scope },
  });
}

function workingOrdersConflict(orders: readonly Order[]): ToolError {
  const ids = orders.map(({ order_id }) => order_id);
  const more = ids.length > MAX_NAMED_ORDERS ? ` and ${ids.length - MAX_NAMED_ORDERS} more` : "";
  return new ToolError(
    "CONFLICT",
    `Orders of this connection may still be filled: ${ids.slice(0, MAX_NAMED_ORDERS).join(", ")}${more}`,
    {
      hint: "Cancel them with cancel_order, or resolve unknown ones with reconcile_orders. force: true disconnects anyway: paper orders are cancelled, others stay at the broker, untracked by this server.",
      data: { working_orders: ids },
    },
  );
}
