import type { Kysely, Migration } from "kysely";

/** When vendors that count by the day were called: their count goes on while this program does not run. */
export const vendorCalls: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("vendor_calls")
      .addColumn("vendor", "text", (column) => column.notNull())
      .addColumn("at", "integer", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("vendor_calls_at").on("vendor_calls").columns(["vendor", "at"]).execute();
  },
};
