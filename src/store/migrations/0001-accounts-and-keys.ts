import type { Kysely, Migration } from "kysely";

/** Who may call: accounts and the hashes of their keys. */
export const accountsAndKeys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("accounts")
      .addColumn("id", "text", (column) => column.primaryKey().notNull())
      .addColumn("plan", "text", (column) => column.notNull())
      .addColumn("overrides", "text")
      .addColumn("created_at", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("keys")
      .addColumn("id", "text", (column) => column.primaryKey().notNull())
      .addColumn("account", "text", (column) => column.notNull().references("accounts.id"))
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("hash", "text", (column) => column.notNull().unique())
      .addColumn("last4", "text", (column) => column.notNull())
      .addColumn("scopes", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("expires_at", "text")
      .addColumn("revoked_at", "text")
      .addColumn("replaced_by", "text")
      .addColumn("grace_until", "text")
      .execute();
    await db.schema
      .createIndex("keys_of_account")
      .on("keys")
      .columns(["account", "created_at", "id"])
      .execute();
  },
};
