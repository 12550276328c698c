import { type Migration, sql } from "kysely";

/** Index that finds the runs about a bar without reading all runs of the past. */
export const runIndex: Migration = {
  async up(db) {
    await sql`CREATE INDEX engine_runs_by_bar ON engine_runs (market, as_of)`.execute(db);
  },
};
