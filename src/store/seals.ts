import { type Kysely, sql } from "kysely";
import { AUDIT_SEAL, type Seals } from "../ports/trading.ts";
import type { Schema } from "./schema.ts";
import { withStartLock } from "./start-lock.ts";

const ONE = 1;

/** What a seal of credentials is bound to. */
export const aboutOf = ({ account, broker }: { readonly account: string; readonly broker: string }): string =>
  `${account}|${broker}`;

/** Id of the master key that all seals are under; null before the first seal. */
export async function currentKeyId(db: Kysely<Schema>): Promise<string | null> {
  const row = await db.selectFrom("vault_key").select("id").executeTakeFirst();
  return row?.id ?? null;
}

/** The same, which it is from now on where there was none. */
export async function keyIdOr(tx: Kysely<Schema>, id: string): Promise<string> {
  await tx
    .insertInto("vault_key")
    .values({ one: ONE, id })
    .onConflict((conflict) => conflict.column("one").doNothing())
    .execute();
  return (await currentKeyId(tx)) ?? id;
}

/** Overwrites what is deleted from now on. */
export async function deleteForGood(db: Kysely<Schema>): Promise<void> {
  await sql`pragma secure_delete = on`.execute(db);
}

/** Empties the log of writes into the database, where nothing deleted for good is left; as far as readers let it. */
export async function emptyLog(db: Kysely<Schema>): Promise<void> {
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

/** The seals in the store of all accounts and markets. */
export function sealsIn(db: Kysely<Schema>, dataDir: string): Seals {
  return {
    async under() {
      const { count } = await db
        .selectFrom("connections")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      const audit = await db.selectFrom("audit_key").select("one").executeTakeFirst();
      return { keyId: await currentKeyId(db), count: Number(count), audit: audit !== undefined };
    },

    async change(keyId, rewrap) {
      await deleteForGood(db);
      const count = await db.transaction().execute(async (tx) => {
        // Written first, so that whoever connects meanwhile waits and then sees the new one.
        await tx
          .insertInto("vault_key")
          .values({ one: ONE, id: keyId })
          .onConflict((conflict) => conflict.column("one").doUpdateSet({ id: keyId }))
          .execute();
        const rows = await tx
          .selectFrom("connections")
          .select(["account", "market", "id", "broker", "sealed"])
          .execute();
        for (const { account, market, id, broker, sealed } of rows)
          await tx
            .updateTable("connections")
            .set({ sealed: rewrap(sealed, aboutOf({ account, broker })) })
            .where("account", "=", account)
            .where("market", "=", market)
            .where("id", "=", id)
            .execute();
        const audit = await tx.selectFrom("audit_key").select("sealed").executeTakeFirst();
        if (audit !== undefined)
          await tx
            .updateTable("audit_key")
            .set({ sealed: rewrap(audit.sealed, AUDIT_SEAL) })
            .execute();
        return rows.length;
      });
      await emptyLog(db);
      return count;
    },

    async release() {
      await db
        .deleteFrom("vault_key")
        .where(({ not, exists, selectFrom }) => not(exists(selectFrom("connections").select("id"))))
        .where(({ not, exists, selectFrom }) => not(exists(selectFrom("audit_key").select("one"))))
        .execute();
    },

    async forget() {
      await deleteForGood(db);
      const count = await db.transaction().execute(async (tx) => {
        const { numDeletedRows } = await tx.deleteFrom("connections").executeTakeFirst();
        await tx.deleteFrom("audit_key").execute();
        await tx.deleteFrom("vault_key").execute();
        return Number(numDeletedRows);
      });
      await emptyLog(db);
      return count;
    },

    alone: (work) => withStartLock(dataDir, work),
  };
}
