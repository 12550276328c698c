import type { Kysely, Migration } from "kysely";

/** Finds signals of one model in the order in which they were decided, and those of a stretch of time by name. */
export const signalOrder: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createIndex("signals_of_model")
      .on("signals")
      .columns(["market", "timeframe", "model_version", "decided_at", "symbol", "id", "origin"])
      .execute();
    await db.schema
      .createIndex("signals_of_time")
      .on("signals")
      .columns(["market", "timeframe", "decided_at", "id"])
      .execute();
    await db.schema.dropIndex("signals_decided").execute();
  },
};
