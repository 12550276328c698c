import type { Kysely, Migration } from "kysely";

/** Tasks of other agents, as the A2A library's store reads and writes them; `owner` is market and account. */
export const a2aTasks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("a2a_tasks")
      .addColumn("tenant", "text", (column) => column.notNull())
      .addColumn("owner", "text", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("context_id", "text", (column) => column.notNull())
      .addColumn("status_last_updated", "bigint", (column) => column.notNull())
      .addColumn("status_state", "text")
      .addColumn("status", "text")
      .addColumn("artifacts", "text")
      .addColumn("history", "text")
      .addColumn("metadata", "text")
      .addColumn("protocol_version", "text")
      .addPrimaryKeyConstraint("a2a_tasks_pk", ["tenant", "owner", "id"])
      .execute();
    await db.schema
      .createIndex("a2a_tasks_latest")
      .on("a2a_tasks")
      .columns(["owner", "status_last_updated"])
      .execute();
  },
};
