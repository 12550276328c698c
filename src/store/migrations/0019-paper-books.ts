import type { Kysely, Migration } from "kysely";

/** Books of the paper exchange. Amounts are decimal text, `intent` is JSON; fills and ledger rows are never changed. */
export const paperTables: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const owned = (table: string) =>
      db.schema
        .createTable(table)
        .addColumn("account", "text", (column) => column.notNull())
        .addColumn("connection", "text", (column) => column.notNull())
        .addColumn("market", "text", (column) => column.notNull());
    await owned("paper_books")
      .addColumn("version", "integer", (column) => column.notNull())
      .addColumn("cash", "text", (column) => column.notNull())
      .addColumn("fills", "integer", (column) => column.notNull())
      .addColumn("opened_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("paper_books_pk", ["account", "connection", "market"])
      .execute();
    await owned("paper_positions")
      .addColumn("symbol", "text", (column) => column.notNull())
      .addColumn("quantity", "text", (column) => column.notNull())
      .addColumn("cost", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("paper_positions_pk", ["account", "connection", "market", "symbol"])
      .execute();
    await owned("paper_orders")
      .addColumn("client_order_id", "text", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("leg", "text", (column) => column.notNull())
      .addColumn("parent", "text")
      .addColumn("intent", "text", (column) => column.notNull())
      .addColumn("status", "text", (column) => column.notNull())
      .addColumn("filled_quantity", "text", (column) => column.notNull())
      .addColumn("filled_value", "text", (column) => column.notNull())
      .addColumn("fees", "text", (column) => column.notNull())
      .addColumn("reason", "text")
      .addColumn("triggered", "integer", (column) => column.notNull())
      .addColumn("matched_to", "text", (column) => column.notNull())
      .addColumn("expires_at", "text")
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("updated_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("paper_orders_pk", ["account", "connection", "market", "client_order_id"])
      .execute();
    await db.schema
      .createIndex("paper_orders_status")
      .on("paper_orders")
      .columns(["account", "connection", "market", "status"])
      .execute();
    await owned("paper_fills")
      .addColumn("number", "integer", (column) => column.notNull())
      .addColumn("client_order_id", "text", (column) => column.notNull())
      .addColumn("symbol", "text", (column) => column.notNull())
      .addColumn("side", "text", (column) => column.notNull())
      .addColumn("quantity", "text", (column) => column.notNull())
      .addColumn("price", "text", (column) => column.notNull())
      .addColumn("fee", "text", (column) => column.notNull())
      .addColumn("at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("paper_fills_pk", ["account", "connection", "market", "number"])
      .execute();
    await owned("paper_ledger")
      .addColumn("booking", "integer", (column) => column.notNull())
      .addColumn("row", "integer", (column) => column.notNull())
      .addColumn("ledger", "text", (column) => column.notNull())
      .addColumn("symbol", "text")
      .addColumn("amount", "text", (column) => column.notNull())
      .addColumn("quantity", "text")
      .addPrimaryKeyConstraint("paper_ledger_pk", ["account", "connection", "market", "booking", "row"])
      .execute();
  },
};
