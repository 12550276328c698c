import type { Kysely, Migration } from "kysely";

/** What scheduled runs found, one row per run, market, symbol and timeframe. */
export const engineResults: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("engine_results")
      .addColumn("run_id", "text", (column) => column.notNull())
      .addColumn("run_at", "text", (column) => column.notNull())
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("symbol", "text", (column) => column.notNull())
      .addColumn("timeframe", "text", (column) => column.notNull())
      .addColumn("score", "double precision")
      .addColumn("grade", "text")
      .addColumn("direction", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("engine_results_pk", ["market", "symbol", "timeframe", "run_id"])
      .execute();
    await db.schema
      .createIndex("engine_results_latest")
      .on("engine_results")
      .columns(["market", "symbol", "timeframe", "run_at"])
      .execute();
  },
};
