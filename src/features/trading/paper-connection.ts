import type { Principal } from "../../domain/accounts/access.ts";
import type { CallOptions, Ports } from "../../domain/ports.ts";
import type { Connection } from "../../domain/trading/trading.ts";
import { connect } from "./connect.ts";

/** Returns the newest connection to the paper broker, creating one when the account has none. */
export async function paperConnection(
  principal: Principal,
  ports: Pick<Ports, "brokers" | "connections" | "audit" | "clock" | "ids" | "market">,
  options: CallOptions = {},
): Promise<{ readonly connection: Connection; readonly created: boolean }> {
  const existing = (await ports.connections.list(principal.account)).find(({ broker }) => broker === "paper");
  if (existing !== undefined) return { connection: existing, created: false };
  const credentials = { api_key: ports.ids.uuid(), api_secret: ports.ids.uuid() };
  return connect({ broker: "paper", type: "paper", credentials, ...options }, principal, ports);
}
