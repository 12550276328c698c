import type { Ports } from "../../domain/ports.ts";
import type { Connection } from "../../domain/trading/trading.ts";
import type { Broker } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";

/** A connection of the account with a client for its broker. */
export interface OpenConnection {
  readonly connection: Connection;
  readonly broker: Broker;
}

/** Opens a connection of the account. @throws ToolError NOT_FOUND when the account has no such connection in this market */
export async function openConnection(
  account: string,
  id: string,
  { connections, brokers }: Pick<Ports, "connections" | "brokers">,
): Promise<OpenConnection> {
  const found = await connections.find(account, id);
  if (found === null) throw connectionNotFound();
  const { connection, credentials } = found;
  const { broker, account_type: type } = connection;
  return { connection, broker: brokers.open({ account, connection: id, broker, type }, credentials) };
}

/** The same error for an unknown id and for a connection of another account. */
export const connectionNotFound = (): ToolError =>
  new ToolError("NOT_FOUND", "Connection not found", {
    hint: "list_connections lists the connections of this account.",
  });
