import type { Kysely, Migration } from "kysely";

/** Signals as they were said, what came of them, and the record made of both; `said` is JSON. */
export const trackRecordTables: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("signals")
      .addColumn("id", "text", (column) => column.primaryKey().notNull())
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("symbol", "text", (column) => column.notNull())
      .addColumn("asset_class", "text", (column) => column.notNull())
      .addColumn("timeframe", "text", (column) => column.notNull())
      .addColumn("decided_at", "text", (column) => column.notNull())
      .addColumn("origin", "text", (column) => column.notNull())
      .addColumn("run_id", "text")
      .addColumn("direction", "text", (column) => column.notNull())
      .addColumn("grade", "text")
      .addColumn("score", "double precision")
      .addColumn("tier", "text", (column) => column.notNull())
      .addColumn("entry", "double precision", (column) => column.notNull())
      .addColumn("stop", "double precision", (column) => column.notNull())
      .addColumn("target", "double precision", (column) => column.notNull())
      .addColumn("close", "double precision", (column) => column.notNull())
      .addColumn("inputs_hash", "text", (column) => column.notNull())
      .addColumn("model_version", "text", (column) => column.notNull())
      .addColumn("logged_at", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("signals_decided")
      .on("signals")
      .columns(["market", "timeframe", "decided_at", "symbol"])
      .execute();
    await db.schema
      .createTable("signal_outcomes")
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("horizon", "integer", (column) => column.notNull())
      .addColumn("known_at", "text", (column) => column.notNull())
      .addColumn("change", "double precision", (column) => column.notNull())
      .addColumn("r", "double precision")
      .addPrimaryKeyConstraint("signal_outcomes_pk", ["id", "horizon"])
      .execute();
    await db.schema
      .createTable("track_records")
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("timeframe", "text", (column) => column.notNull())
      .addColumn("model_version", "text", (column) => column.notNull())
      .addColumn("computed_at", "text", (column) => column.notNull())
      .addColumn("said", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("track_records_pk", ["market", "timeframe", "model_version"])
      .execute();
  },
};
