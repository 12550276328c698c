import type { Principal } from "../../domain/accounts/access.ts";
import type { CallOptions, Ports } from "../../domain/ports.ts";
import type { Connection } from "../../domain/trading/trading.ts";
import { connect } from "./connect.ts";

/** The newest connection of an account to the embedded exchange, made where there is none: it moves no money. */
export async function paperConnection(
  principal: Principal,
  ports: Pick<Ports, "brokers" | "connections" | "audit" | "clock" | "ids" | "market">,
  options: CallOptions = {},
): Promise<{ readonly connection: Connection; readonly created: boolean }> {
  const known = (await ports.connections.list(principal.account)).find(({ broker }) => broker === "paper");
  if (known !== undefined) return { connection: known, created: false };
  const credentials = { api_key: ports.ids.uuid(), api_secret: ports.ids.uuid() };
  return connect({ broker: "paper", type: "paper", credentials, ...options }, principal, ports);
}
