import { type Migration, sql } from "kysely";
import { createTableSql, table, text } from "../table.ts";

export const BAR_ANSWER_TABLES = {
  /** First answer on each bar, and since when each input is used. */
  bar_answers: table("PRIMARY KEY (market, symbol, timeframe, decided_at)", {
    market: text,
    symbol: text,
    timeframe: text,
    decided_at: text,
    /** First answer and inputs as JSON. */
    json: text,
    /** Time of the newest change. */
    changed_at: text,
  }),
};

export const barAnswerTables: Migration = {
  async up(db) {
    for (const [name, columns] of Object.entries(BAR_ANSWER_TABLES))
      await sql.raw(createTableSql(name, columns)).execute(db);
    await sql.raw("CREATE INDEX bar_answers_by_change ON bar_answers (market, changed_at)").execute(db);
  },
};
