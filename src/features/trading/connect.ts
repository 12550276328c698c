import type { Principal } from "../../domain/accounts/access.ts";
import type { CallOptions, Ports } from "../../domain/ports.ts";
import type { AccountType, BrokerName, Connection, PaperFills } from "../../domain/trading/trading.ts";
import type { BrokerAccount, Credentials } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { idDigits } from "../../lib/id-digits.ts";

interface ConnectRequest extends CallOptions {
  readonly broker: BrokerName;
  readonly type: AccountType;
  readonly credentials: Credentials;
  /** Of the embedded exchange; unsaid: as a market would, or as the account always was. */
  readonly fills?: PaperFills | undefined;
}

type ConnectPorts = Pick<Ports, "brokers" | "connections" | "audit" | "clock" | "ids" | "market">;

/**
 * Asks the broker with the credentials and, where it accepts them, writes that down and keeps the connection. A key that is
 * connected already keeps its connection, so that a call sent twice, one after the other or at once, makes one.
 */
export async function connect(
  { broker, type, credentials, fills, ...asked }: ConnectRequest,
  { account, scopes }: Principal,
  ports: ConnectPorts,
): Promise<{ readonly connection: Connection; readonly created: boolean; readonly account: BrokerAccount }> {
  const { brokers, connections, audit, clock, ids, market } = ports;
  if (broker === "paper" && type === "live")
    throw new ToolError("INVALID_INPUT", "The embedded exchange has no live accounts: it moves no money", {
      hint: 'Say account_type "paper".',
      data: { errors: [{ pointer: "/account_type", detail: "The embedded exchange is paper alone" }] },
    });
  if (broker !== "paper" && fills !== undefined)
    throw new ToolError(
      "INVALID_INPUT",
      "fills is of the embedded exchange: a broker fills as its market does",
      {
        hint: 'Leave fills out, or connect the broker "paper".',
        data: { errors: [{ pointer: "/fills", detail: "The broker paper alone takes it" }] },
      },
    );
  if (type === "live" && !scopes.includes("trade:live"))
    throw new ToolError("SCOPE_REQUIRED", "A live account is connected with a key of the scope trade:live", {
      hint: "Connect a paper account, or ask the owner of the server for such a key.",
    });
  if (type === "live" && market.mode !== "live")
    throw new ToolError("REFUSED", `A live account is not connected to a market of ${market.mode} prices`, {
      hint: "Connect a paper account, or run the server with MARKET_DATA=live.",
    });
  const known = await findByApiKey(account, { broker, type, credentials }, connections);
  const id = known?.connection_id ?? `cn_${idDigits(ids.uuid())}`;
  const told = await brokers
    .open({ account, connection: id, broker, type, fills }, credentials)
    .account(asked);
  const now = clock.now().toISOString();
  const connection: Connection = {
    connection_id: id,
    broker,
    account_type: type,
    account_mask: told.number.slice(-4),
    market: market.id,
    connected_at: known?.connected_at ?? now,
    checked_at: now,
  };
  const about = { connection_id: id, broker, account_type: type, account_mask: connection.account_mask };
  await audit.write(account, "connection_added", { ...about, replaced: known !== null });
  const undone = (reason: string) => audit.write(account, "connection_removed", { ...about, reason });
  const kept = await connections.add(account, connection, credentials).catch(async (thrown: unknown) => {
    await undone("it could not be stored");
    throw thrown;
  });
  if (kept.connection_id !== id) await undone(`the same key was connected at once as ${kept.connection_id}`);
  return { connection: kept, created: known === null && kept.connection_id === id, account: told };
}

/** The connection of the same key; null where there is none that can be opened. */
async function findByApiKey(
  account: string,
  { broker, type, credentials }: Omit<ConnectRequest, "signal">,
  connections: ConnectPorts["connections"],
): Promise<Connection | null> {
  for (const one of await connections.list(account)) {
    if (one.broker !== broker || one.account_type !== type) continue;
    const found = await connections.find(account, one.connection_id).catch(nullIfNotConnected);
    if (found?.credentials.api_key === credentials.api_key) return one;
  }
  return null;
}

function nullIfNotConnected(thrown: unknown): null {
  if (thrown instanceof ToolError && thrown.code === "NOT_CONNECTED") return null;
  throw thrown;
}
