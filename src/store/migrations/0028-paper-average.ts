import type { Kysely, Migration } from "kysely";

/** What a unit of a paper position was filled at on average; null where it was opened before this was kept. */
export const paperAverage: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable("paper_positions").addColumn("average_price", "text").execute();
  },
};
