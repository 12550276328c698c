import type { Paint } from "../../domain/terminal.ts";
import type { AccountAnswer, SyncedConnection } from "../../domain/trading/positions.ts";
import type { Connection } from "../../domain/trading/trading.ts";
import type { BrokerAccount } from "../../domain/trading/trading-port.ts";

const formatMinute = (iso: string): string => `${iso.slice(0, 16)}Z`;

/** A connection as a person reads it: its id, what it is, when it was made and last checked. */
export function formatConnection(connection: Connection, paint: Paint): readonly string[] {
  const { connection_id, broker, account_type, account_mask, connected_at, checked_at } = connection;
  const type = account_type === "live" ? paint("red", "LIVE: real money") : "paper: no money moves";
  return [
    `${paint("bold", connection_id)}  ${broker}, account ...${account_mask}, ${type}`,
    paint("dim", `  connected ${formatMinute(connected_at)}, checked ${formatMinute(checked_at)}`),
  ];
}

/** A broker's account as it is answered. */
export const accountAnswer = (account: BrokerAccount): AccountAnswer => ({
  equity: account.equity,
  cash: account.cash,
  buying_power: account.buyingPower,
  as_of: account.asOf,
  notes: [...(account.notes ?? [])],
});

/** What an account holds in all, in a line, and below it what its holder should know. */
export const formatAccount = (
  { equity, cash, buying_power, notes }: AccountAnswer,
  paint: Paint,
): readonly string[] => [
  `  equity ${equity} USD, cash ${cash} USD, buying power ${buying_power} USD`,
  ...notes.map((note) => paint("dim", `  ${note}`)),
];

/** A synced connection as a person reads it. */
export const formatSyncedConnection = (
  one: (typeof SyncedConnection)["_output"],
  paint: Paint,
): readonly string[] => [
  `${paint("bold", one.connection_id)}  ${one.broker}, ${one.account_type} account ...${one.account_mask}: ${one.positions} position${one.positions === 1 ? "" : "s"}`,
  ...formatAccount(one.account, paint),
];
