import type { Kysely, Migration } from "kysely";

/** Backtests that accounts ran; `request` and `result` are JSON. */
export const backtestsTable: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("backtests")
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("request", "text", (column) => column.notNull())
      .addColumn("result", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("backtests_pk", ["account", "market", "id"])
      .execute();
    await db.schema
      .createIndex("backtests_newest")
      .on("backtests")
      .columns(["account", "created_at", "id"])
      .execute();
  },
};
