import type { Principal } from "../../domain/accounts/access.ts";
import type { Ports } from "../../domain/ports.ts";
import type { PendingConfirmation } from "../../domain/trading/confirmation.ts";
import type { RiskLimits } from "../../domain/trading/risk.ts";
import type { Amount, Connection } from "../../domain/trading/trading.ts";
import type { Broker, Brokers, TicketRecord } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { decimal } from "../../lib/decimal.ts";

/** A connection of the account with a client for its broker. */
export interface BrokerConnection {
  readonly connection: Connection;
  readonly broker: Broker;
}
export type ConnectionPorts = Pick<Ports, "brokers" | "connections">;

/** Creates the NOT_FOUND error, which is the same for an unknown id and a connection of another account. */
export const connectionNotFound = (): ToolError =>
  new ToolError("NOT_FOUND", "Connection not found", {
    hint: "list_connections lists the connections of this account.",
  });

/**
 * Opens a connection. Default: the account's only connection, else its only paper connection; the built-in paper account
 * if it has none. @throws ToolError
 * NOT_FOUND when the account has no such connection in this market
 */
export async function resolveConnection(
  { connections, brokers }: ConnectionPorts,
  account: string,
  requested: string | undefined,
): Promise<BrokerConnection> {
  const id = requested ?? defaultConnection(await connections.list(account), undefined).connection_id;
  const found = await connections.find(account, id);
  if (found === null) throw connectionNotFound();
  const { connection, credentials } = found;
  const { broker, account_type: type } = connection;
  return { connection, broker: brokers.open({ account, connection: id, broker, type }, credentials) };
}

/** Returns the requested connection, or the default one. @throws ToolError NOT_FOUND, INVALID_INPUT without a default */
export function defaultConnection(all: readonly Connection[], requested: string | undefined): Connection {
  if (requested !== undefined) {
    const found = all.find(({ connection_id }) => connection_id === requested);
    if (found === undefined) throw connectionNotFound();
    return found;
  }
  const paper = all.filter(({ account_type }) => account_type === "paper");
  const [connection, ...others] = all.length === 1 ? all : paper;
  if (connection !== undefined && others.length === 0) return connection;
  throw new ToolError("INVALID_INPUT", "Several brokers are connected: connection_id is required", {
    hint: `Pass connection_id, one of: ${all.map(({ connection_id, broker, account_type, account_mask }) => `${connection_id} (${broker}, ${account_type}, account ...${account_mask})`).join(", ")}.`,
  });
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
      hint: "The owner of the server enables it with TRADING_LIVE=1. Paper connections do not need it.",
    });
}

/** A live order as the owner's limits for unconfirmed orders see it; amounts are US dollars. */
interface UnconfirmedOrder {
  readonly notional: Amount;
  /** True if the order opens nothing. */
  readonly closes: boolean;
  /** Notional of the live orders sent without confirmation within 24 hours. */
  readonly sent: Amount;
}

/**
 * Returns the REFUSED error of a live trade that a person must confirm first; null if the owner's limits allow it
 * without. `pending`: where and until when, once the person was asked.
 */
export function findMissingConfirmation(
  ticket: TicketRecord,
  { notional, closes, sent }: UnconfirmedOrder,
  limits: Pick<RiskLimits, "unconfirmed_live_usd" | "unconfirmed_live_closing">,
): ((pending: PendingConfirmation | null) => ToolError) | null {
  const { unconfirmed_live_usd: most, unconfirmed_live_closing: closing } = limits;
  if (closes && closing) return null;
  if (most !== null && decimal(sent).plus(notional).lte(most)) return null;
  const bounds =
    most === null
      ? ""
      : ` Up to ${most} USD within 24 hours need no confirmation; this trade is ${notional} USD, after ${sent} USD.`;
  return (pending) => {
    const where =
      pending === null
        ? "The owner of the server confirms the ticket in the terminal of the server"
        : `Until ${pending.expires_at} a person of this account confirms it at ${pending.url}, or the owner in the terminal of the server`;
    return new ToolError("REFUSED", "This live trade is not confirmed", {
      hint: `${where}; then call execute_trade.${bounds}`,
      command: `market-signal trades confirm ${ticket.id}`,
      data: { ticket_id: ticket.id, ...(pending !== null && { confirmation: pending }) },
    });
  };
}
