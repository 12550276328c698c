import { type Migration, sql } from "kysely";
import { createTableSql, table, text } from "../table.ts";

export const ANSWER_TABLES = {
  /**
   * Answers of `get_odds`, one per symbol, timeframe, bar and method; never updated. Forecasts are in `odds_forecasts` and outcomes in
   * `signal_outcomes`, under the same id.
   */
  odds_answers: table("PRIMARY KEY (id)", {
    /** Hash of market, symbol, timeframe, decision bar and method. */
    id: text,
    market: text,
    symbol: text,
    asset_class: text,
    timeframe: text,
    /** Close of the decision bar. */
    decided_at: text,
    logged_at: text,
  }),
};

export const oddsAnswers: Migration = {
  async up(db) {
    for (const [name, columns] of Object.entries(ANSWER_TABLES))
      await sql.raw(createTableSql(name, columns)).execute(db);
    await sql
      .raw("CREATE INDEX odds_answers_of_time ON odds_answers (market, timeframe, decided_at, id)")
      .execute(db);
  },
};
