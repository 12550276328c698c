import { type Kysely, sql } from "kysely";
import { AUDIT_SEAL, type Seals } from "../../domain/trading/trading-port.ts";
import { SECRET_SEAL } from "../../domain/vault/secrets-port.ts";
import type { Schema } from "../schema.ts";
import { withStartLock } from "../start-lock.ts";

const ONE = 1;

/** What a seal of credentials is bound to. */
export const connectionSealContext = ({
  account,
  broker,
}: {
  readonly account: string;
  readonly broker: string;
}): string => `${account}|${broker}`;

/** What the seal of a secret is bound to: no other name of any account reads the same. */
export const secretSealContext = ({
  account,
  name,
}: {
  readonly account: string;
  readonly name: string;
}): string => `${SECRET_SEAL}${JSON.stringify([account, name])}`;

/** Id of the master key that all seals are under; null before the first seal. */
export async function currentKeyId(db: Kysely<Schema>): Promise<string | null> {
  const row = await db.selectFrom("vault_key").select("id").executeTakeFirst();
  return row?.id ?? null;
}

/** The same, which it is from now on where there was none. */
export async function keyIdOrInsert(tx: Kysely<Schema>, id: string): Promise<string> {
  await tx
    .insertInto("vault_key")
    .values({ one: ONE, id })
    .onConflict((conflict) => conflict.column("one").doNothing())
    .execute();
  return (await currentKeyId(tx)) ?? id;
}

/** Overwrites what is deleted from now on. */
export async function enableSecureDelete(db: Kysely<Schema>): Promise<void> {
  await sql`pragma secure_delete = on`.execute(db);
}

/** Empties the log of writes into the database, where nothing deleted for good is left; as far as readers let it. */
export async function truncateWal(db: Kysely<Schema>): Promise<void> {
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

/** The seals in the store of all accounts and markets. */
export function sealsIn(db: Kysely<Schema>, dataDir: string): Seals {
  return {
    async status() {
      const count = await countOf(db, "connections");
      const audit = await db.selectFrom("audit_key").select("one").executeTakeFirst();
      const secrets = await countOf(db, "sealed_secrets");
      return { keyId: await currentKeyId(db), count, secrets, audit: audit !== undefined };
    },

    async rewrapAll(keyId, rewrap) {
      await enableSecureDelete(db);
      const changed = await db.transaction().execute(async (tx) => {
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
            .set({ sealed: rewrap(sealed, connectionSealContext({ account, broker })) })
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
        return { connections: rows.length, secrets: await rewrapSecrets(tx, rewrap) };
      });
      await truncateWal(db);
      return changed;
    },

    async release() {
      await db
        .deleteFrom("vault_key")
        .where(({ not, exists, selectFrom }) => not(exists(selectFrom("connections").select("id"))))
        .where(({ not, exists, selectFrom }) => not(exists(selectFrom("audit_key").select("one"))))
        .where(({ not, exists, selectFrom }) => not(exists(selectFrom("sealed_secrets").select("name"))))
        .execute();
    },

    async forget() {
      await enableSecureDelete(db);
      const forgotten = await db.transaction().execute(async (tx) => {
        const connections = await tx.deleteFrom("connections").executeTakeFirst();
        const secrets = await tx.deleteFrom("sealed_secrets").executeTakeFirst();
        await tx.deleteFrom("audit_key").execute();
        await tx.deleteFrom("vault_key").execute();
        return {
          connections: Number(connections.numDeletedRows),
          secrets: Number(secrets.numDeletedRows),
        };
      });
      await truncateWal(db);
      return forgotten;
    },

    withLock: (work) => withStartLock(dataDir, work),
  };
}

async function countOf(db: Kysely<Schema>, table: "connections" | "sealed_secrets"): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function rewrapSecrets(tx: Kysely<Schema>, rewrap: Parameters<Seals["rewrapAll"]>[1]): Promise<number> {
  const rows = await tx.selectFrom("sealed_secrets").selectAll().execute();
  for (const { account, name, sealed } of rows)
    await tx
      .updateTable("sealed_secrets")
      .set({ sealed: rewrap(sealed, secretSealContext({ account, name })) })
      .where((is) => is.and({ account, name }))
      .execute();
  return rows.length;
}
