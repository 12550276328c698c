import { type Migration, sql } from "kysely";
import { createTableSql, integer, table, text, textOrNull } from "../table.ts";

export const USAGE_TABLES = {
  /** Calls by account, key, tool and day, and the size of their answers. */
  usage_days: table("PRIMARY KEY (account, day, key, tool)", {
    account: text,
    /** UTC, `YYYY-MM-DD`. */
    day: text,
    /** Id of the key; empty for calls without one. */
    key: text,
    tool: text,
    calls: integer,
    failed: integer,
    /** Characters of the answers as JSON. */
    characters: integer,
  }),
};

/** Column that this migration adds to `keys`: the hour of the last use. */
export const KEY_COLUMNS = { last_used_at: textOrNull };

/** Column that this migration adds to `accounts`; null for an account that is not suspended. */
export const ACCOUNT_COLUMNS = { suspended_at: textOrNull };

export const usage: Migration = {
  async up(db) {
    for (const [name, columns] of Object.entries(USAGE_TABLES))
      await sql.raw(createTableSql(name, columns)).execute(db);
    await sql`CREATE INDEX usage_days_of_day ON usage_days (day)`.execute(db);
    for (const [name, added] of Object.entries(KEY_COLUMNS))
      await sql.raw(`ALTER TABLE keys ADD COLUMN ${name} ${added.sql}`).execute(db);
    for (const [name, added] of Object.entries(ACCOUNT_COLUMNS))
      await sql.raw(`ALTER TABLE accounts ADD COLUMN ${name} ${added.sql}`).execute(db);
  },
};
