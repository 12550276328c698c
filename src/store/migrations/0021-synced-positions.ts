import type { Kysely, Migration } from "kysely";

/** Positions of connected accounts as brokers last told them, one row a connection. */
export const syncedPositions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("synced_positions")
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("connection", "text", (column) => column.notNull())
      .addColumn("synced_at", "text", (column) => column.notNull())
      .addColumn("positions", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("synced_positions_pk", ["account", "market", "connection"])
      .execute();
  },
};
