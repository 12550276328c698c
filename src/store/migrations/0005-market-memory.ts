import type { Kysely, Migration } from "kysely";

/** What sources of prices said last, by market; `said` is JSON. */
export const marketMemory: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("kept_quotes")
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("symbol", "text", (column) => column.notNull())
      .addColumn("fetched_at", "text", (column) => column.notNull())
      .addColumn("said", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("kept_quotes_pk", ["market", "symbol"])
      .execute();
    await db.schema
      .createTable("kept_bars")
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("symbol", "text", (column) => column.notNull())
      .addColumn("timeframe", "text", (column) => column.notNull())
      .addColumn("fetched_at", "text", (column) => column.notNull())
      .addColumn("said", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("kept_bars_pk", ["market", "symbol", "timeframe"])
      .execute();
    await db.schema
      .createTable("disagreements")
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("symbol", "text", (column) => column.notNull())
      .addColumn("at", "text", (column) => column.notNull())
      .addColumn("said", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("disagreements_pk", ["market", "symbol", "at"])
      .execute();
    for (const table of ["kept_quotes", "kept_bars"])
      await db.schema.createIndex(`${table}_newest`).on(table).columns(["market", "fetched_at"]).execute();
  },
};
