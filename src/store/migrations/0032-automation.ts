import { type Kysely, type Migration, sql } from "kysely";

/** Agents that were started, their runs, agents that accounts saved, and which processes keep the schedule. */
export const automationTables: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const owned = (table: string) =>
      db.schema
        .createTable(table)
        .addColumn("account", "text", (column) => column.notNull())
        .addColumn("market", "text", (column) => column.notNull());
    await owned("agents")
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("agent", "text", (column) => column.notNull())
      .addColumn("input", "text", (column) => column.notNull())
      .addColumn("every_s", "integer", (column) => column.notNull())
      .addColumn("calendar", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("reason", "text")
      .addColumn("budget", "text")
      .addColumn("spent", "text", (column) => column.notNull())
      .addColumn("failures", "integer", (column) => column.notNull())
      .addColumn("started_at", "text", (column) => column.notNull())
      .addColumn("next_at", "integer")
      .addColumn("last_run", "text")
      .addColumn("key_id", "text")
      .addColumn("scopes", "text", (column) => column.notNull())
      .addColumn("lease_owner", "text")
      .addColumn("lease_until", "integer")
      .addPrimaryKeyConstraint("agents_pk", ["account", "market", "id"])
      .execute();
    await db.schema
      .createIndex("agents_running")
      .unique()
      .on("agents")
      .columns(["account", "market", "agent"])
      .where(sql.ref("state"), "=", "running")
      .execute();
    await db.schema.createIndex("agents_due").on("agents").columns(["market", "state", "next_at"]).execute();
    await owned("agent_runs")
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("agent_id", "text", (column) => column.notNull())
      .addColumn("agent", "text", (column) => column.notNull())
      .addColumn("due_at", "integer", (column) => column.notNull())
      .addColumn("started_at", "text", (column) => column.notNull())
      .addColumn("ended_at", "text")
      .addColumn("outcome", "text", (column) => column.notNull())
      .addColumn("resumed", "integer", (column) => column.notNull())
      .addColumn("missed", "integer", (column) => column.notNull())
      .addColumn("reason", "text")
      .addColumn("decisions", "text", (column) => column.notNull())
      .addColumn("notes", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("agent_runs_pk", ["account", "market", "id"])
      .execute();
    await db.schema
      .createIndex("agent_runs_due")
      .on("agent_runs")
      .columns(["account", "market", "agent_id", "due_at"])
      .execute();
    await db.schema
      .createIndex("agent_runs_newest")
      .on("agent_runs")
      .columns(["account", "market", "due_at"])
      .execute();
    await owned("custom_agents")
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("definition", "text", (column) => column.notNull())
      .addColumn("saved_at", "text", (column) => column.notNull())
      .addColumn("changed_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("custom_agents_pk", ["account", "market", "name"])
      .execute();
    await db.schema
      .createTable("agent_keepers")
      .addColumn("market", "text", (column) => column.notNull())
      .addColumn("owner", "text", (column) => column.notNull())
      .addColumn("seen_at", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("agent_keepers_pk", ["market", "owner"])
      .execute();
  },
};
