import { type Migration, sql } from "kysely";
import { createTableSql, table, text, textOrNull } from "../table.ts";

const token = {
  /** SHA-256 of the token. */
  hash: text,
  account: text,
  created_at: text,
  expires_at: text,
};

export const BROWSER_TABLES = {
  /** Single-use links that sign a browser in. */
  browser_links: table("PRIMARY KEY (hash)", { ...token, used_at: textOrNull }),
  browser_sessions: table("PRIMARY KEY (hash)", token),
};

export const browserSessions: Migration = {
  async up(db) {
    for (const [name, columns] of Object.entries(BROWSER_TABLES))
      await sql.raw(createTableSql(name, columns)).execute(db);
  },
};
