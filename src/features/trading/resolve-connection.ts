import type { Principal } from "../../domain/accounts/access.ts";
import type { Amount } from "../../domain/trading/trading.ts";
import type { Brokers, Connections, TicketRecord } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { decimal } from "../../lib/decimal.ts";
import { type OpenConnection, openConnection } from "./open-connection.ts";

export type BrokerConnection = OpenConnection;
export interface ConnectionPorts {
  readonly brokers: Brokers;
  readonly connections: Connections;
}

/**
 * Opens a connection. Default: the account's only connection, else its only paper connection. @throws ToolError
 * NOT_FOUND when it is not the account's
 */
export async function resolveConnection(
  ports: ConnectionPorts,
  account: string,
  id: string | undefined,
): Promise<BrokerConnection> {
  return openConnection(account, id ?? (await defaultConnectionId(ports.connections, account)), ports);
}

async function defaultConnectionId(connections: Connections, account: string): Promise<string> {
  const all = await connections.list(account);
  if (all.length === 0)
    throw new ToolError("REFUSED", "No broker is connected", {
      hint: 'Call connect_broker with broker "paper" and account_type "paper": any credentials work and no money moves.',
    });
  const paper = all.filter(({ account_type }) => account_type === "paper");
  const [connection, ...others] = all.length === 1 ? all : paper;
  if (connection === undefined || others.length > 0)
    throw new ToolError("INVALID_INPUT", "Several brokers are connected: connection_id is required", {
      hint: `Connections: ${all.map(({ connection_id, broker, account_type, account_mask }) => `${connection_id} (${broker}, ${account_type}, account ...${account_mask})`).join(", ")}.`,
    });
  return connection.connection_id;
}

/**
 * Checks scope and server setting for a live connection; paper connections always pass. @throws ToolError
 * SCOPE_REQUIRED or REFUSED
 */
export function requireLiveAccess(
  { connection }: BrokerConnection,
  { scopes }: Principal,
  { live }: Pick<Brokers, "live">,
): void {
  if (connection.account_type === "paper") return;
  if (!scopes.includes("trade:live"))
    throw new ToolError("SCOPE_REQUIRED", 'A live account needs the "trade:live" scope', {
      hint: 'Use a key with "trade:live", or a paper connection.',
      data: { required_scope: "trade:live" },
    });
  if (!live)
    throw new ToolError("REFUSED", "Live trading is disabled on this server", {
      hint: "The owner enables it with TRADING_LIVE=1. Paper connections do not need it.",
    });
}

/**
 * Requires the owner's confirmation for a live trade, unless it opens no more US dollars than the limit without
 * confirmation. @throws ToolError REFUSED
 */
export function requireConfirmation(
  { connection }: BrokerConnection,
  ticket: TicketRecord,
  { opens, unconfirmed }: { readonly opens: Amount; readonly unconfirmed: Amount | null },
): void {
  if (connection.account_type === "paper" || ticket.confirmedAt !== null) return;
  if (unconfirmed !== null && decimal(opens).lte(unconfirmed)) return;
  throw new ToolError("REFUSED", "This live trade is not confirmed", {
    hint: `The owner of the server confirms it on the server with \`market-signal trades confirm ${ticket.id}\`; then call execute_trade.${unconfirmed === null ? "" : ` Up to ${unconfirmed} USD needs no confirmation; this trade opens ${opens} USD.`}`,
    data: { ticket_id: ticket.id },
  });
}
