import type { Kysely, Migration } from "kysely";

/** The last good list of each kind of instrument in each market; `listed` is JSON of its rows. */
export const listings: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("listings")
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("source", "text", (column) => column.notNull())
      .addColumn("fetched_at", "text", (column) => column.notNull())
      .addColumn("count", "integer", (column) => column.notNull())
      .addColumn("listed", "text", (column) => column.notNull())
      .addColumn("reason", "text")
      .addPrimaryKeyConstraint("listings_of_market", ["market", "kind"])
      .execute();
  },
};
