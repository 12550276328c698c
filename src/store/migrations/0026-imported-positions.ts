import type { Kysely, Migration } from "kysely";

/** Positions of accounts elsewhere as their owners told them, one row a label. */
export const importedPositions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("imported_positions")
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("label", "text", (column) => column.notNull())
      .addColumn("told_at", "text", (column) => column.notNull())
      .addColumn("positions", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("imported_positions_pk", ["account", "market", "label"])
      .execute();
  },
};
