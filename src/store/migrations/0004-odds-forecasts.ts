import { type Migration, sql } from "kysely";
import type { PlanEnd } from "../../domain/odds/plan-end.ts";
import { column, createTableSql, realOrNull, table, text } from "../table.ts";

export const ODDS_TABLES = {
  /** Odds at the decision bar of a signal, or of an answer of `get_odds`; never updated. */
  odds_forecasts: table("PRIMARY KEY (id)", {
    /** Id of the signal or of the answer. */
    id: text,
    /** Method. */
    version: text,
    /** JSON, see `forecastText`. */
    said: text,
  }),
  /** Published records of odds as JSON. */
  odds_records: table("PRIMARY KEY (market)", {
    market: text,
    computed_at: text,
    said: text,
  }),
};

/** Columns that this migration adds to `signal_outcomes`; null in outcomes of earlier versions. */
export const OUTCOME_COLUMNS = {
  /** Logs of the ratio of the highest high and the lowest low to the close of the decision bar. */
  highest: realOrNull,
  lowest: realOrNull,
  plan_end: column<PlanEnd | null>("TEXT"),
};

export const oddsForecaster: Migration = {
  async up(db) {
    for (const [name, columns] of Object.entries(ODDS_TABLES))
      await sql.raw(createTableSql(name, columns)).execute(db);
    for (const [name, added] of Object.entries(OUTCOME_COLUMNS))
      await sql.raw(`ALTER TABLE signal_outcomes ADD COLUMN ${name} ${added.sql}`).execute(db);
  },
};
