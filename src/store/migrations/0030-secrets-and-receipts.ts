import type { Kysely, Migration } from "kysely";

/** Sealed texts of accounts, and receipts of signals with the inputs they can be computed from again. */
export const secretsAndReceipts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("sealed_secrets")
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("sealed", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("sealed_secrets_pk", ["account", "name"])
      .execute();
    await db.schema
      .createTable("receipts")
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("issued_at", "text", (column) => column.notNull())
      .addColumn("receipt", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("receipts_pk", ["account", "market", "id"])
      .execute();
    await db.schema
      .createIndex("receipts_issued")
      .on("receipts")
      .columns(["account", "market", "issued_at", "id"])
      .execute();
    await db.schema
      .createTable("receipt_inputs")
      .addColumn("account", "text", (column) => column.notNull())
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("packed", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("receipt_inputs_pk", ["account", "market", "id"])
      .execute();
  },
};
