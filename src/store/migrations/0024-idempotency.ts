import type { Kysely, Migration } from "kysely";

/** Calls that may be sent again, by account and the caller's key, with their answers. Times are epoch ms. */
export const idempotencyTable: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("idempotency")
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("key", "text", (column) => column.notNull())
      .addColumn("hash", "text", (column) => column.notNull())
      .addColumn("holder", "text", (column) => column.notNull())
      .addColumn("held_until", "integer", (column) => column.notNull())
      .addColumn("expires_at", "integer", (column) => column.notNull())
      .addColumn("status", "integer")
      .addColumn("headers", "text")
      .addColumn("body", "text")
      .addPrimaryKeyConstraint("idempotency_pk", ["account", "market", "key"])
      .execute();
    await db.schema.createIndex("idempotency_expiry").on("idempotency").column("expires_at").execute();
  },
};
