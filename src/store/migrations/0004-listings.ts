import type { Kysely, Migration } from "kysely";

/** The last good list of each kind of instrument; `listed` is JSON of its rows. */
export const listings: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("listings")
      .addColumn("kind", "text", (column) => column.primaryKey().notNull())
      .addColumn("source", "text", (column) => column.notNull())
      .addColumn("fetched_at", "text", (column) => column.notNull())
      .addColumn("count", "integer", (column) => column.notNull())
      .addColumn("listed", "text", (column) => column.notNull())
      .addColumn("reason", "text")
      .execute();
  },
};
