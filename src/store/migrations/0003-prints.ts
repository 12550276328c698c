import { type Migration, sql } from "kysely";
import { createTableSql, real, table, text } from "../table.ts";

export const PRINT_TABLES = {
  /** Off-exchange prints of completed sessions, stored from the first request of a symbol on; never updated. */
  print_days: table("PRIMARY KEY (market, symbol, day)", {
    market: text,
    symbol: text,
    /** Session date, `YYYY-MM-DD`. */
    day: text,
    source: text,
    /** Time of the provider call, epoch ms. */
    fetched_at: real,
    /** JSON of the prints and of the period in which they are complete. */
    said: text,
  }),
};

export const printDays: Migration = {
  async up(db) {
    for (const [name, columns] of Object.entries(PRINT_TABLES))
      await sql.raw(createTableSql(name, columns)).execute(db);
  },
};
