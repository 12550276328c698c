import { type Migration, sql } from "kysely";

/** Indexes that find the signals and the odds of one symbol. */
export const symbolIndexes: Migration = {
  async up(db) {
    for (const table of ["signals", "odds_answers"])
      await sql
        .raw(`CREATE INDEX ${table}_of_symbol ON ${table} (market, symbol, timeframe, decided_at, id)`)
        .execute(db);
  },
};
