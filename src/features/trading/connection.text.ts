import type { Paint } from "../../domain/terminal.ts";
import type { AccountAnswer, SyncedConnection } from "../../domain/trading/positions.ts";
import type { Connection } from "../../domain/trading/trading.ts";
import type { BrokerAccount } from "../../domain/trading/trading-port.ts";

const formatMinute = (iso: string): string => `${iso.slice(0, 16)}Z`;

/** Formats a connection: id, broker, account type, when it was connected and last checked. */
export function formatConnection(connection: Connection, paint: Paint): readonly string[] {
  const { connection_id, broker, account_type, account_mask, connected_at, checked_at } = connection;
  const type = account_type === "live" ? paint("red", "LIVE: real money") : "paper: no money moves";
  return [
    `${paint("bold", connection_id)}  ${broker}, account ...${account_mask}, ${type}`,
    paint(
      "dim",
      connected_at === null
        ? "  built in, opened by its first use"
        : `  connected ${formatMinute(connected_at)}, checked ${formatMinute(checked_at)}`,
    ),
  ];
}

export const accountAnswer = (account: BrokerAccount): AccountAnswer => ({
  equity: account.equity,
  cash: account.cash,
  buying_power: account.buyingPower,
  as_of: account.asOf,
  notes: [...(account.notes ?? [])],
});

/** Formats the account totals on one line, followed by the broker's notes. */
export const formatAccount = (
  { equity, cash, buying_power, notes }: AccountAnswer,
  paint: Paint,
): readonly string[] => [
  `  equity ${equity} USD, cash ${cash} USD, buying power ${buying_power} USD`,
  ...notes.map((note) => paint("dim", `  ${note}`)),
];

/** Formats a synced connection with its account totals. */
export const formatSyncedConnection = (
  connection: (typeof SyncedConnection)["_output"],
  paint: Paint,
): readonly string[] => [
  `${paint("bold", connection.connection_id)}  ${connection.broker}, ${connection.account_type} account ...${connection.account_mask}: ${connection.positions} position${connection.positions === 1 ? "" : "s"}`,
  ...formatAccount(connection.account, paint),
];
