import type { Kysely, Migration } from "kysely";

/** Closes by which the paper exchange notices splits, and the splits it booked, which are never changed. */
export const paperSplits: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const owned = (table: string) =>
      db.schema
        .createTable(table)
        .addColumn("account", "text", (column) => column.notNull())
        .addColumn("connection", "text", (column) => column.notNull())
        .addColumn("market", "text", (column) => column.notNull());
    await owned("paper_closes")
      .addColumn("symbol", "text", (column) => column.notNull())
      .addColumn("day", "integer", (column) => column.notNull())
      .addColumn("close", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("paper_closes_pk", ["account", "connection", "market", "symbol"])
      .execute();
    await owned("paper_splits")
      .addColumn("number", "integer", (column) => column.notNull())
      .addColumn("symbol", "text", (column) => column.notNull())
      .addColumn("ratio", "text", (column) => column.notNull())
      .addColumn("at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("paper_splits_pk", ["account", "connection", "market", "number"])
      .execute();
  },
};
