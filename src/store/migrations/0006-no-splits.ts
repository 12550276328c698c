import { type Migration, sql } from "kysely";
import { createTableSql, table, text } from "../table.ts";

export const NO_SPLIT_TABLES = {
  /** Price changes that the owner of the server declared to be no split. */
  no_splits: table("PRIMARY KEY (market, symbol, date)", {
    market: text,
    symbol: text,
    /** ISO date of the first session at the new price. */
    date: text,
    declared_at: text,
  }),
};

export const noSplitDeclarations: Migration = {
  async up(db) {
    for (const [name, columns] of Object.entries(NO_SPLIT_TABLES))
      await sql.raw(createTableSql(name, columns)).execute(db);
  },
};
