import type { Kysely, Migration } from "kysely";

/** How the orders of a paper book are filled; as a market would in those opened before this was kept. */
export const paperFills: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable("paper_books")
      .addColumn("fill_model", "text", (column) => column.notNull().defaultTo("market"))
      .execute();
  },
};
