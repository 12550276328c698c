import type { Principal } from "../../domain/accounts/access.ts";
import type { Amount } from "../../domain/trading/trading.ts";
import type { Brokers, Connections, TicketRecord } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { decimal } from "../../lib/decimal.ts";
import { type OpenConnection, openConnection } from "./open-connection.ts";

/** An account's way to its broker. */
export type BrokerConnection = OpenConnection;
export interface ConnectionPorts {
  readonly brokers: Brokers;
  readonly connections: Connections;
}

/** The line of that connection; unsaid, the only one, or the only one on paper. NOT_FOUND for what is not the account's. */
export async function resolveConnection(
  ports: ConnectionPorts,
  account: string,
  asked: string | undefined,
): Promise<BrokerConnection> {
  return openConnection(account, asked ?? (await defaultConnectionId(ports.connections, account)), ports);
}

async function defaultConnectionId(connections: Connections, account: string): Promise<string> {
  const all = await connections.list(account);
  if (all.length === 0)
    throw new ToolError("REFUSED", "No broker is connected", {
      hint: 'connect_broker with broker "paper" and account_type "paper" takes any credentials and moves no money.',
    });
  const paper = all.filter(({ account_type }) => account_type === "paper");
  const [one, ...others] = all.length === 1 ? all : paper;
  if (one === undefined || others.length > 0)
    throw new ToolError("INVALID_INPUT", "Several brokers are connected: say connection_id", {
      hint: `Connections: ${all.map(({ connection_id, broker, account_type, account_mask }) => `${connection_id} (${broker}, ${account_type}, account ...${account_mask})`).join(", ")}.`,
    });
  return one.connection_id;
}

/** Lets whoever may move real money through; on paper everybody. Throws SCOPE_REQUIRED or REFUSED. */
export function requireLiveAccess(
  { connection }: BrokerConnection,
  { scopes }: Principal,
  { live }: Pick<Brokers, "live">,
): void {
  if (connection.account_type === "paper") return;
  if (!scopes.includes("trade:live"))
    throw new ToolError("SCOPE_REQUIRED", 'A live account needs the "trade:live" scope', {
      hint: 'Use a key that carries "trade:live", or a paper connection.',
      data: { required_scope: "trade:live" },
    });
  if (!live)
    throw new ToolError("REFUSED", "Live trading is switched off on this server", {
      hint: "Its owner switches it on by TRADING_LIVE=1. Paper connections trade without it.",
    });
}

/** Of a live account only what its owner has confirmed is sent, or what opens no more dollars than need no confirmation. */
export function requireConfirmation(
  { connection }: BrokerConnection,
  ticket: TicketRecord,
  { opens, unconfirmed }: { readonly opens: Amount; readonly unconfirmed: Amount | null },
): void {
  if (connection.account_type === "paper" || ticket.confirmedAt !== null) return;
  if (unconfirmed !== null && decimal(opens).lte(unconfirmed)) return;
  throw new ToolError("REFUSED", "This live trade is not confirmed", {
    hint: `The owner of the server confirms it by \`market-signal trades confirm ${ticket.id}\`, which no key can; then execute_trade sends it.${unconfirmed === null ? "" : ` Up to ${unconfirmed} USD needs no confirmation; this opens ${opens}.`}`,
    data: { ticket_id: ticket.id },
  });
}
