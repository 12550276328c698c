import type { Kysely } from "kysely";
import type { Connection } from "../../src/domain/trading/trading.ts";
import type { Schema } from "../../src/store/schema.ts";

/** Saves connections of an account without usable credentials. */
export const keepConnections = async (
  db: Kysely<Schema>,
  account: string,
  connections: readonly Connection[],
): Promise<void> => {
  for (const { connection_id: id, ...rest } of connections) {
    await db.deleteFrom("connections").where("account", "=", account).where("id", "=", id).execute();
    await db
      .insertInto("connections")
      .values({ ...rest, connected_at: rest.connected_at ?? rest.checked_at, account, id, sealed: "sealed" })
      .execute();
  }
};
