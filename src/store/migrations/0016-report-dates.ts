import type { Kysely, Migration } from "kysely";

/** When reports were expected, each change by the moment at which it was heard; `confirmed` is 0 or 1. */
export const reportDates: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("report_dates")
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("symbol", "text", (column) => column.notNull())
      .addColumn("noted_at", "text", (column) => column.notNull())
      .addColumn("source", "text", (column) => column.notNull())
      .addColumn("date", "text", (column) => column.notNull())
      .addColumn("hour", "text", (column) => column.notNull())
      .addColumn("confirmed", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("report_dates_pk", ["market", "symbol", "noted_at"])
      .execute();
  },
};
