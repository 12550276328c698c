import type { Kysely, Migration } from "kysely";

/** What chains of options came to, by snapshot, and put/call ratios of the whole market; `said` is JSON. */
export const optionDays: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("flow_snapshots")
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("symbol", "text", (column) => column.notNull())
      .addColumn("at", "text", (column) => column.notNull())
      .addColumn("day", "text", (column) => column.notNull())
      .addColumn("said", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("flow_snapshots_pk", ["market", "symbol", "at"])
      .execute();
    await db.schema
      .createIndex("flow_snapshots_by_day")
      .on("flow_snapshots")
      .columns(["market", "symbol", "day", "at"])
      .execute();
    await db.schema
      .createTable("put_call_days")
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("day", "text", (column) => column.notNull())
      .addColumn("at", "text", (column) => column.notNull())
      .addColumn("source", "text", (column) => column.notNull())
      .addColumn("said", "text")
      .addPrimaryKeyConstraint("put_call_days_pk", ["market", "day"])
      .execute();
  },
};
