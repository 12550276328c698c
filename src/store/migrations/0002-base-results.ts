import { type Migration, sql } from "kysely";
import { createTableSql, realOrNull, table, text } from "../table.ts";

export const BASE_TABLES = {
  /** Results of the usual plan at the close of a signal, in R, as base of its outcome; never updated. */
  base_results: table("PRIMARY KEY (id)", {
    /** Id of the signal. */
    id: text,
    long_r: realOrNull,
    short_r: realOrNull,
  }),
};

export const baseResults: Migration = {
  async up(db) {
    for (const [name, columns] of Object.entries(BASE_TABLES))
      await sql.raw(createTableSql(name, columns)).execute(db);
  },
};
