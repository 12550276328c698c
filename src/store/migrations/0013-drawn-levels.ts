import { type Migration, sql } from "kysely";
import { createTableSql, owned, table, text, textOrNull } from "../table.ts";

export const DRAWN_LEVEL_TABLES = {
  /** Levels and note that an account saved on a symbol. */
  drawn_levels: table("PRIMARY KEY (account, market, symbol)", {
    ...owned,
    symbol: text,
    /** Levels as JSON, with prices in the share count of the day on which they were saved. */
    levels: text,
    levels_saved_at: textOrNull,
    note: textOrNull,
    note_saved_at: textOrNull,
  }),
};

export const drawnLevels: Migration = {
  async up(db) {
    for (const [name, columns] of Object.entries(DRAWN_LEVEL_TABLES))
      await sql.raw(createTableSql(name, columns)).execute(db);
  },
};
