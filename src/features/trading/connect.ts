import type { Principal } from "../../domain/accounts/access.ts";
import type { CallOptions, Ports } from "../../domain/ports.ts";
import type {
  AccountType,
  Amount,
  BrokerName,
  Connection,
  PaperFills,
} from "../../domain/trading/trading.ts";
import type { BrokerAccount, Credentials } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { idDigits } from "../../lib/id-digits.ts";

export interface ConnectRequest extends CallOptions {
  readonly broker: BrokerName;
  readonly type: AccountType;
  /** Default for the broker paper: new ones, which open a new account. */
  readonly credentials?: Credentials | undefined;
  /** Opening cash of a new paper account, US dollars. Default: PAPER_EQUITY. */
  readonly equity?: Amount | undefined;
  /** Fill model of the embedded exchange. Default: realistic market fills; an existing account keeps its model. */
  readonly fills?: PaperFills | undefined;
}

export type ConnectPorts = Pick<Ports, "brokers" | "connections" | "audit" | "clock" | "ids" | "market">;

/**
 * Verifies the credentials with the broker, writes the audit entry and stores the connection. A key that is already
 * connected keeps its connection, so repeated or concurrent calls create only one connection.
 */
export async function connect(
  { broker, type, credentials: given, fills, equity, ...options }: ConnectRequest,
  { account, scopes }: Principal,
  ports: ConnectPorts,
): Promise<{ readonly connection: Connection; readonly created: boolean; readonly account: BrokerAccount }> {
  const { brokers, connections, audit, clock, ids, market } = ports;
  requireConnectable({ broker, type, fills, equity }, scopes, market);
  if (broker !== "paper" && given === undefined)
    throw new ToolError("INVALID_INPUT", `The broker ${broker} requires credentials`, {
      hint: "Pass credentials with the api_key and api_secret of the account. Only the broker paper takes none.",
      data: { errors: [{ pointer: "/credentials", detail: "is required for this broker" }] },
    });
  const credentials = given ?? { api_key: ids.uuid(), api_secret: ids.uuid() };
  const existing = await findByApiKey(account, { broker, type, credentials }, connections);
  if (existing !== null && equity !== undefined)
    throw new ToolError(
      "REFUSED",
      "The paper account of this key is open, and its equity cannot be set again",
      {
        hint: "Leave credentials out to open a new paper account with that equity.",
      },
    );
  const id = existing?.connection_id ?? `cn_${idDigits(ids.uuid())}`;
  const brokerAccount = await brokers
    .open({ account, connection: id, broker, type, fills, equity }, credentials)
    .account(options);
  const now = clock.now().toISOString();
  const connection: Connection = {
    connection_id: id,
    broker,
    account_type: type,
    account_mask: brokerAccount.number.slice(-4),
    market: market.id,
    connected_at: existing?.connected_at ?? now,
    checked_at: now,
  };
  const details = { connection_id: id, broker, account_type: type, account_mask: connection.account_mask };
  await audit.write(account, "connection_added", { ...details, replaced: existing !== null });
  const recordRemoval = (reason: string) =>
    audit.write(account, "connection_removed", { ...details, reason });
  const stored = await connections.add(account, connection, credentials).catch(async (thrown: unknown) => {
    await recordRemoval("it could not be stored");
    throw thrown;
  });
  if (stored.connection_id !== id)
    await recordRemoval(`the same key was connected concurrently as ${stored.connection_id}`);
  return {
    connection: stored,
    created: existing === null && stored.connection_id === id,
    account: brokerAccount,
  };
}

/**
 * Checks a request to connect before its credentials are known. @throws ToolError INVALID_INPUT for fields of another
 * broker, SCOPE_REQUIRED and REFUSED for a live account
 */
export function requireConnectable(
  { broker, type, fills, equity }: Pick<ConnectRequest, "broker" | "type" | "fills" | "equity">,
  scopes: Principal["scopes"],
  market: ConnectPorts["market"],
): void {
  if (broker === "paper" && type === "live")
    throw new ToolError("INVALID_INPUT", "The paper broker has no live accounts", {
      hint: 'Set account_type to "paper".',
      data: { errors: [{ pointer: "/account_type", detail: "must be paper for the broker paper" }] },
    });
  for (const [field, value] of Object.entries({ fills, equity }))
    if (broker !== "paper" && value !== undefined)
      throw new ToolError("INVALID_INPUT", `${field} applies to the broker paper only`, {
        hint: `Leave ${field} out, or connect the broker "paper".`,
        data: { errors: [{ pointer: `/${field}`, detail: "is accepted for the broker paper only" }] },
      });
  if (type === "live" && !scopes.includes("trade:live"))
    throw new ToolError("SCOPE_REQUIRED", "Connecting a live account requires the scope trade:live", {
      hint: "Connect a paper account, or ask the owner of the server for a key with that scope.",
    });
  if (type === "live" && market.mode !== "live") {
    const message = `A live account cannot be connected while the server runs on ${market.mode} prices`;
    const hint =
      "Connect a paper account. For a live one, the owner of the server runs it with MARKET_DATA=live.";
    throw new ToolError("REFUSED", message, { hint });
  }
}

/** Finds the connection with the same API key; null when no connection that can be opened has it. */
async function findByApiKey(
  account: string,
  {
    broker,
    type,
    credentials,
  }: Pick<ConnectRequest, "broker" | "type"> & { readonly credentials: Credentials },
  connections: ConnectPorts["connections"],
): Promise<Connection | null> {
  for (const connection of await connections.list(account)) {
    // the built-in account that was never used is not stored
    if (connection.connected_at === null) continue;
    if (connection.broker !== broker || connection.account_type !== type) continue;
    const found = await connections.find(account, connection.connection_id).catch(nullIfNotConnected);
    if (found?.credentials.api_key === credentials.api_key) return connection;
  }
  return null;
}

function nullIfNotConnected(thrown: unknown): null {
  if (thrown instanceof ToolError && thrown.code === "NOT_CONNECTED") return null;
  throw thrown;
}

/** Returns the newest connection to the paper broker, connecting one when the account has none. */
export async function paperConnection(
  principal: Principal,
  ports: ConnectPorts,
  options: CallOptions = {},
): Promise<{ readonly connection: Connection; readonly created: boolean }> {
  const { account } = principal;
  const existing = (await ports.connections.list(account)).find(({ broker }) => broker === "paper");
  const found = existing && (await ports.connections.find(account, existing.connection_id));
  if (found != null) return { connection: found.connection, created: existing?.connected_at === null };
  return connect({ broker: "paper", type: "paper", ...options }, principal, ports);
}
