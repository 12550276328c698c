import type { Kysely, Migration } from "kysely";

/** Tickets and orders of accounts. Amounts are decimal text, `intent` and `shown` are JSON; a ticket names the order it became. */
export const tradeTables: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const owned = (table: string) =>
      db.schema
        .createTable(table)
        .addColumn("account", "text", (column) => column.notNull())
        .addColumn("market", "text", (column) => column.notNull())
        .addColumn("connection", "text", (column) => column.notNull());
    await owned("trade_tickets")
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("intent", "text", (column) => column.notNull())
      .addColumn("shown", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("expires_at", "text", (column) => column.notNull())
      .addColumn("order_id", "text")
      .addColumn("confirmed_at", "text")
      .addPrimaryKeyConstraint("trade_tickets_pk", ["account", "market", "id"])
      .execute();
    await owned("trade_orders")
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("ticket", "text", (column) => column.notNull())
      .addColumn("client_order_id", "text", (column) => column.notNull())
      .addColumn("intent", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("broker_status", "text")
      .addColumn("filled_quantity", "text", (column) => column.notNull())
      .addColumn("average_price", "text")
      .addColumn("fees", "text", (column) => column.notNull())
      .addColumn("reason", "text")
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("updated_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("trade_orders_pk", ["account", "market", "id"])
      .addUniqueConstraint("trade_orders_ticket", ["account", "market", "ticket"])
      .execute();
    await db.schema
      .createIndex("trade_orders_created")
      .on("trade_orders")
      .columns(["account", "market", "created_at"])
      .execute();
    await owned("trade_equity")
      .addColumn("peak", "text", (column) => column.notNull())
      .addColumn("day", "text", (column) => column.notNull())
      .addColumn("before", "text", (column) => column.notNull())
      .addColumn("last", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("trade_equity_pk", ["account", "market", "connection"])
      .execute();
  },
};
