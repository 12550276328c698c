import type { Kysely, Migration } from "kysely";

/** Prediction markets on price levels as they stood; `said` is JSON. */
export const contractSnapshots: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("contract_snapshots")
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("symbol", "text", (column) => column.notNull())
      .addColumn("at", "text", (column) => column.notNull())
      .addColumn("said", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("contract_snapshots_pk", ["market", "symbol", "at"])
      .execute();
  },
};
