import type { Ports } from "../../domain/ports.ts";
import type { Connection } from "../../domain/trading/trading.ts";
import type { Broker } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";

/** A connection of the account, with the broker behind it. */
export interface OpenConnection {
  readonly connection: Connection;
  readonly broker: Broker;
}

/** Opens a connection of the account. NOT_FOUND where it has none of that id in this market. */
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

/** The answer for an id that is nobody's and for one that is another's. */
export const connectionNotFound = (): ToolError =>
  new ToolError("NOT_FOUND", "There is no connection of that id", {
    hint: "list_connections shows those of this account.",
  });
