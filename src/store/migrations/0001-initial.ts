import { type Migration, sql } from "kysely";
import { ACCOUNTS_SQL } from "./initial/accounts.ts";
import { AGENTS_SQL } from "./initial/agents.ts";
import { ALERTS_SQL } from "./initial/alerts.ts";
import { MARKET_DATA_SQL } from "./initial/market-data.ts";
import { SECURITY_SQL } from "./initial/security.ts";
import { SIGNALS_SQL } from "./initial/signals.ts";
import { TRADING_SQL } from "./initial/trading.ts";

/** The whole schema of the first release, one file per topic. Statements end with `;` and contain no other one. */
export const INITIAL_SQL = [
  ACCOUNTS_SQL,
  AGENTS_SQL,
  ALERTS_SQL,
  MARKET_DATA_SQL,
  SECURITY_SQL,
  SIGNALS_SQL,
  TRADING_SQL,
].join("");

export const initial: Migration = {
  async up(db) {
    const statements = INITIAL_SQL.split(";").map((statement) => statement.trim());
    for (const statement of statements.filter((text) => text !== "")) await sql.raw(statement).execute(db);
  },
};
