import type { Kysely, Migration } from "kysely";

/** Accounts connected at brokers, with what opens them sealed, and which master key the seals are under. */
export const connectionsTables: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("connections")
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("broker", "text", (column) => column.notNull())
      .addColumn("account_type", "text", (column) => column.notNull())
      .addColumn("account_mask", "text", (column) => column.notNull())
      .addColumn("connected_at", "text", (column) => column.notNull())
      .addColumn("checked_at", "text", (column) => column.notNull())
      .addColumn("sealed", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("connections_pk", ["account", "market", "id"])
      .execute();
    await db.schema
      .createTable("vault_key")
      .addColumn("one", "integer", (column) => column.primaryKey())
      .addColumn("id", "text", (column) => column.notNull())
      .execute();
  },
};
