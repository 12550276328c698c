import type { Kysely, Migration } from "kysely";

/** Notes of owners on their orders; one is never changed. */
export const tradeNotesTable: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("trade_notes")
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("order_id", "text", (column) => column.notNull())
      .addColumn("note", "text", (column) => column.notNull())
      .addColumn("noted_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("trade_notes_pk", ["account", "market", "id"])
      .execute();
    await db.schema
      .createIndex("trade_notes_order")
      .on("trade_notes")
      .columns(["account", "market", "order_id"])
      .execute();
  },
};
