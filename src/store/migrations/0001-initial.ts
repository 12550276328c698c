import { type Migration, sql } from "kysely";
import { createTableSql } from "../table.ts";
import { ACCOUNT_INDEXES, ACCOUNT_TABLES } from "./initial/accounts.ts";
import { AGENT_INDEXES, AGENT_TABLES } from "./initial/agents.ts";
import { ALERT_INDEXES, ALERT_TABLES } from "./initial/alerts.ts";
import { MARKET_DATA_INDEXES, MARKET_DATA_TABLES } from "./initial/market-data.ts";
import { SECURITY_TABLES } from "./initial/security.ts";
import { SIGNAL_INDEXES, SIGNAL_TABLES } from "./initial/signals.ts";
import { TRADING_INDEXES, TRADING_TABLES } from "./initial/trading.ts";

/** Every table of the first release. These definitions never change: later changes are migrations of their own. */
export const INITIAL_TABLES = {
  ...ACCOUNT_TABLES,
  ...AGENT_TABLES,
  ...ALERT_TABLES,
  ...MARKET_DATA_TABLES,
  ...SECURITY_TABLES,
  ...SIGNAL_TABLES,
  ...TRADING_TABLES,
};

/** The statements that create the schema of the first release. */
export const INITIAL_SQL: readonly string[] = [
  ...Object.entries(INITIAL_TABLES).map(([name, table]) => createTableSql(name, table)),
  ...ACCOUNT_INDEXES,
  ...AGENT_INDEXES,
  ...ALERT_INDEXES,
  ...MARKET_DATA_INDEXES,
  ...SIGNAL_INDEXES,
  ...TRADING_INDEXES,
];

export const initial: Migration = {
  async up(db) {
    for (const statement of INITIAL_SQL) await sql.raw(statement).execute(db);
  },
};
