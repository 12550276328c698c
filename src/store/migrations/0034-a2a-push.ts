import type { Kysely, Migration } from "kysely";

/** Which other agents are told of the course of a task; where and by what is kept sealed. */
export const a2aPushTable: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("a2a_push")
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("task", "text", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("wire_version", "text", (column) => column.notNull())
      .addColumn("saved_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("a2a_push_pk", ["account", "market", "task", "id"])
      .execute();
  },
};
