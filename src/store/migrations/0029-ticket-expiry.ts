import { type Kysely, type Migration, sql } from "kysely";

/** Finds the tickets that expired unused. */
export const ticketExpiry: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createIndex("trade_tickets_expiry")
      .on("trade_tickets")
      .column("expires_at")
      .where(sql.ref("order_id"), "is", null)
      .execute();
  },
};
