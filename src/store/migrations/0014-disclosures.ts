import type { Kysely, Migration } from "kysely";

/** What members of Congress disclosed, by market and source; `said` is JSON. */
export const disclosures: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("disclosures")
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("source", "text", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("chamber", "text", (column) => column.notNull())
      .addColumn("ticker", "text")
      .addColumn("filing_date", "text", (column) => column.notNull())
      .addColumn("member_id", "text")
      .addColumn("said", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("disclosures_pk", ["market", "source", "id"])
      .execute();
    await db.schema
      .createIndex("disclosures_filed")
      .on("disclosures")
      .columns(["market", "source", "chamber", "filing_date"])
      .execute();
    await db.schema
      .createTable("disclosure_filings")
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("source", "text", (column) => column.notNull())
      .addColumn("doc_id", "text", (column) => column.notNull())
      .addColumn("chamber", "text", (column) => column.notNull())
      .addColumn("filing_date", "text")
      .addColumn("again", "integer", (column) => column.notNull())
      .addColumn("unread", "text")
      .addPrimaryKeyConstraint("disclosure_filings_pk", ["market", "source", "doc_id"])
      .execute();
    await db.schema
      .createTable("disclosure_sources")
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("source", "text", (column) => column.notNull())
      .addColumn("chamber", "text", (column) => column.notNull())
      .addColumn("told_at", "text")
      .addColumn("refreshed_at", "text")
      .addColumn("complete_from", "text")
      .addPrimaryKeyConstraint("disclosure_sources_pk", ["market", "source", "chamber"])
      .execute();
  },
};
