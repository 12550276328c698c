import type { Kysely, Migration } from "kysely";

/**
 * What owners let their accounts do, in every market alike: limits as JSON of those that were set, and the kill switch.
 * Orders get a number, by which their connection began them: clocks may stand still or go back.
 */
export const tradeRulesTables: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("risk_limits")
      .addColumn("account", "text", (column) => column.primaryKey())
      .addColumn("limits", "text", (column) => column.notNull())
      .addColumn("set_at", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("kill_switches")
      .addColumn("account", "text", (column) => column.primaryKey())
      .addColumn("engaged", "integer", (column) => column.notNull())
      .addColumn("since", "text", (column) => column.notNull())
      .addColumn("reason", "text")
      .execute();
    await db.schema
      .alterTable("trade_orders")
      .addColumn("number", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
