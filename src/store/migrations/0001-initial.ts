import { type Migration, sql } from "kysely";
import { createTableSql } from "../table.ts";
import { ACCOUNT_INDEXES } from "./initial/accounts.ts";
import { AGENT_INDEXES } from "./initial/agents.ts";
import { ALERT_INDEXES } from "./initial/alerts.ts";
import { MARKET_DATA_INDEXES } from "./initial/market-data.ts";
import { SIGNAL_INDEXES } from "./initial/signals.ts";
import { INITIAL_TABLES } from "./initial/tables.ts";
import { TRADING_INDEXES } from "./initial/trading.ts";

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
