import type { Kysely, Migration } from "kysely";

/** What was done in the name of accounts, each entry chained to the one before, and the sealed key of the chain. */
export const auditTables: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("audit_log")
      .addColumn("seq", "integer", (column) => column.primaryKey())
      .addColumn("at", "text", (column) => column.notNull())
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("event", "text", (column) => column.notNull())
      .addColumn("about", "text", (column) => column.notNull())
      .addColumn("key", "text", (column) => column.notNull())
      .addColumn("previous", "text", (column) => column.notNull())
      .addColumn("mac", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("audit_key")
      .addColumn("one", "integer", (column) => column.primaryKey())
      .addColumn("sealed", "text", (column) => column.notNull())
      .execute();
  },
};
