import type { Kysely, Migration } from "kysely";

/** Finds what one run said of each symbol in a word, which stays when its rows are let go of. */
export const resultsOfRun: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.createIndex("engine_results_of_run").on("engine_results").column("run_id").execute();
  },
};
