import type { CreateTableBuilder, Kysely, Migration } from "kysely";

/** Watchlists, subscriptions, the signals and changes they watch, and the alerts that were made of them. */
export const alerts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createWatchlistTables(db);
    await createSignalChangeTables(db);
    await createDeliveryTables(db);
  },
};

const addTextColumns = <T extends string, C extends string>(
  table: CreateTableBuilder<T, C>,
  names: readonly string[],
) =>
  names.reduce<CreateTableBuilder<T, string>>(
    (made, name) => made.addColumn(name, "text", (column) => column.notNull()),
    table,
  );

async function createWatchlistTables(db: Kysely<unknown>): Promise<void> {
  await addTextColumns(db.schema.createTable("watchlists"), [
    "account",
    "market",
    "name",
    "symbols",
    "saved_at",
  ])
    .addPrimaryKeyConstraint("watchlists_pk", ["account", "market", "name"])
    .execute();
  await addTextColumns(db.schema.createTable("subscriptions"), [
    "account",
    "market",
    "id",
    "symbols",
    "timeframe",
  ])
    .addColumn("name", "text")
    .addColumn("watchlist", "text")
    .addColumn("condition", "text", (column) => column.notNull())
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("target", "text")
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("reason", "text")
    .addColumn("seen", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("subscriptions_pk", ["account", "market", "id"])
    .execute();
  await db.schema
    .createIndex("subscriptions_state")
    .on("subscriptions")
    .columns(["market", "state"])
    .execute();
}

async function createSignalChangeTables(db: Kysely<unknown>): Promise<void> {
  await addTextColumns(db.schema.createTable("signal_states"), ["market", "symbol", "timeframe", "state"])
    .addColumn("since", "text", (column) => column.notNull())
    .addColumn("looked_at", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("signal_states_pk", ["market", "symbol", "timeframe"])
    .execute();
  const changes = db.schema
    .createTable("signal_changes")
    .addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement());
  await addTextColumns(changes, ["id", "market", "symbol", "timeframe", "decided_at", "noticed_at", "said"])
    .addUniqueConstraint("signal_changes_bar", ["market", "symbol", "timeframe", "decided_at"])
    .execute();
  await db.schema
    .createIndex("signal_changes_id")
    .unique()
    .on("signal_changes")
    .columns(["market", "id"])
    .execute();
  await db.schema
    .createIndex("signal_changes_series")
    .on("signal_changes")
    .columns(["market", "symbol", "timeframe", "seq"])
    .execute();
  await db.schema
    .createIndex("signal_changes_order")
    .on("signal_changes")
    .columns(["market", "seq"])
    .execute();
}

async function createDeliveryTables(db: Kysely<unknown>): Promise<void> {
  const deliveries = db.schema
    .createTable("deliveries")
    .addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement());
  await addTextColumns(deliveries, [
    "id",
    "alert_id",
    "account",
    "market",
    "subscription",
    "channel",
    "alert",
  ])
    .addColumn("target", "text")
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("reason", "text")
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("next_at", "integer")
    .addColumn("made_at", "text", (column) => column.notNull())
    .addUniqueConstraint("deliveries_id", ["id"])
    .execute();
  const index = (name: string, columns: readonly string[]) =>
    db.schema
      .createIndex(`deliveries_${name}`)
      .on("deliveries")
      .columns([...columns])
      .execute();
  await index("due", ["market", "next_at"]);
  await index("order", ["market", "subscription", "state", "seq"]);
  await index("log", ["account", "market", "seq"]);
  await index("age", ["market", "made_at"]);
  await db.schema
    .createTable("delivery_attempts")
    .addColumn("delivery", "text", (column) => column.notNull())
    .addColumn("number", "integer", (column) => column.notNull())
    .addColumn("at", "text", (column) => column.notNull())
    .addColumn("status", "integer")
    .addColumn("reason", "text")
    .addColumn("ms", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("delivery_attempts_pk", ["delivery", "number"])
    .execute();
}
