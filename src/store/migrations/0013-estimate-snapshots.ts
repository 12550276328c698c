import type { Kysely, Migration } from "kysely";

/** What was expected of reports before they came out, by the day on which it was. */
export const estimateSnapshots: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("estimate_snapshots")
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("symbol", "text", (column) => column.notNull())
      .addColumn("source", "text", (column) => column.notNull())
      .addColumn("period", "text", (column) => column.notNull())
      .addColumn("day", "text", (column) => column.notNull())
      .addColumn("taken_at", "text", (column) => column.notNull())
      .addColumn("eps", "double precision")
      .addColumn("revenue", "double precision")
      .addPrimaryKeyConstraint("estimate_snapshots_pk", ["market", "symbol", "source", "period", "day"])
      .execute();
  },
};
