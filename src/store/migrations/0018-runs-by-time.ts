import { type Migration, sql } from "kysely";

/** Indexes that find the newest runs, and those about a time, without reading all runs of the past. */
export const runIndexes: Migration = {
  async up(db) {
    for (const column of ["started_at", "as_of"])
      await sql.raw(`CREATE INDEX engine_runs_by_${column} ON engine_runs (market, ${column})`).execute(db);
  },
};
