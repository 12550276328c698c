import type { Kysely, Migration } from "kysely";

/** Which data a run read, where they change under one market, as files do. */
export const runContent: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable("engine_runs").addColumn("content", "text").execute();
  },
};
