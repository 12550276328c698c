import type { Kysely, Migration } from "kysely";

/** Runs over whole universes: what each is of, what it found, what it could not; `said` is JSON. */
export const engineRunsAndRows: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("engine_runs")
      .addColumn("run_id", "text", (column) => column.primaryKey().notNull())
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("universe", "text", (column) => column.notNull())
      .addColumn("timeframe", "text", (column) => column.notNull())
      .addColumn("model_version", "text", (column) => column.notNull())
      .addColumn("as_of", "text", (column) => column.notNull())
      .addColumn("started_at", "text", (column) => column.notNull())
      .addColumn("run_at", "text")
      .addColumn("universe_hash", "text", (column) => column.notNull())
      .addColumn("members", "text", (column) => column.notNull())
      .addColumn("market_index", "text")
      .execute();
    await db.schema
      .createIndex("engine_runs_newest")
      .on("engine_runs")
      .columns(["market", "timeframe", "run_at"])
      .execute();
    await db.schema
      .createTable("engine_rows")
      .addColumn("run_id", "text", (column) => column.notNull())
      .addColumn("symbol", "text", (column) => column.notNull())
      .addColumn("score", "double precision")
      .addColumn("grade", "text")
      .addColumn("direction", "text", (column) => column.notNull())
      .addColumn("said", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("engine_rows_pk", ["run_id", "symbol"])
      .execute();
    await db.schema
      .createTable("engine_failures")
      .addColumn("run_id", "text", (column) => column.notNull())
      .addColumn("symbol", "text", (column) => column.notNull())
      .addColumn("code", "text", (column) => column.notNull())
      .addColumn("message", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("engine_failures_pk", ["run_id", "symbol"])
      .execute();
    await db.schema
      .createTable("engine_ranks")
      .addColumn("run_id", "text", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("hash", "text", (column) => column.notNull())
      .addColumn("said", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("engine_ranks_pk", ["run_id", "kind"])
      .execute();
  },
};
