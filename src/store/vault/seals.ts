import { setTimeout as sleep } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { AUDIT_SEAL, type Seals } from "../../domain/trading/trading-port.ts";
import { SECRET_SEAL } from "../../domain/vault/secrets-port.ts";
import { isPostgres } from "../engine.ts";
import { VAULT_LOCK, VAULT_UNLOCK } from "../postgres/locks.ts";
import { countRows, deleteRows, findRow, insertMissing, listRows, updateRows, upsert } from "../queries.ts";
import type { Schema } from "../schema.ts";
import { withStartLock } from "../start-lock.ts";
import { storeTransaction } from "../transactions.ts";

const ONE = 1;
const MAX_TRUNCATIONS = 10;
const TRUNCATION_PAUSE_MS = 5;

/** Thrown when a seal was made under a master key other than the current one. */
export class KeyChanged extends Error {}

/** Returns the context to which the seal of credentials is bound. */
export const connectionSealContext = ({
  account,
  broker,
}: {
  readonly account: string;
  readonly broker: string;
}): string => `${account}|${broker}`;

/** Returns the context to which the seal of a secret is bound; unique for each account and name. */
export const secretSealContext = ({
  account,
  name,
}: {
  readonly account: string;
  readonly name: string;
}): string => `${SECRET_SEAL}${JSON.stringify([account, name])}`;

/** Returns the id of the master key under which all seals are made; null before the first seal. */
export async function currentKeyId(db: Kysely<Schema>): Promise<string | null> {
  const row = await findRow(db, "vault_key", {});
  return row?.id ?? null;
}

/** Returns the id of the current master key; if none is stored, stores and returns `id`. */
export async function keyIdOrInsert(tx: Kysely<Schema>, id: string): Promise<string> {
  await insertMissing(tx, "vault_key", [{ one: ONE, id }]);
  return (await currentKeyId(tx)) ?? id;
}

/** Makes SQLite overwrite deleted content; PostgreSQL cannot. */
export async function enableSecureDelete(db: Kysely<Schema>): Promise<void> {
  if (isPostgres(db)) return;
  await sql`pragma secure_delete = on`.execute(db);
}

/**
 * Truncates the write-ahead log, which may hold deleted content, as far as open readers allow. Retries for about 50 ms
 * while another process uses the database. In PostgreSQL, deleted content stays in the log and in its archive.
 */
export async function truncateWal(db: Kysely<Schema>): Promise<void> {
  if (isPostgres(db)) return;
  for (let attempt = 0; attempt < MAX_TRUNCATIONS; attempt++) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
    if (rows[0]?.busy !== 1) return;
    await sleep(TRUNCATION_PAUSE_MS);
  }
}

/** Creates the store of all seals, across accounts and markets. */
export function sealsIn(db: Kysely<Schema>, dataDir: string): Seals {
  return {
    async status() {
      const count = await countRows(db, "connections", {});
      const secrets = await countRows(db, "sealed_secrets", {});
      const audit = (await countRows(db, "audit_key", {})) > 0;
      return { keyId: await currentKeyId(db), count, secrets, audit };
    },

    async rewrapAll(keyId, rewrap) {
      await enableSecureDelete(db);
      const changed = await storeTransaction(db, async (tx) => {
        // Writes first, so that a concurrent connect waits and then reads the new key.
        await upsert(tx, "vault_key", { one: ONE }, { id: keyId });
        const rows = await listRows(tx, "connections", {});
        for (const row of rows) {
          const { account, market, id } = row;
          const sealed = rewrap(row.sealed, connectionSealContext(row));
          await updateRows(tx, "connections", { account, market, id }, { sealed });
        }
        const audit = await findRow(tx, "audit_key", {});
        if (audit !== undefined)
          await updateRows(tx, "audit_key", {}, { sealed: rewrap(audit.sealed, AUDIT_SEAL) });
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
      const forgotten = await storeTransaction(db, async (tx) => {
        const connections = await deleteRows(tx, "connections", {});
        const secrets = await deleteRows(tx, "sealed_secrets", {});
        await deleteRows(tx, "audit_key", {});
        await deleteRows(tx, "vault_key", {});
        // hashed with a deleted secret, so that none could match again
        await deleteRows(tx, "auth_recovery_codes", {});
        return { connections, secrets };
      });
      await truncateWal(db);
      return forgotten;
    },

    withLock: (work) => (isPostgres(db) ? withSessionLock(db, work) : withStartLock(dataDir, work)),
  };
}

/** Runs the work while no other server of the database does; a connection that ends releases the lock. */
const withSessionLock = <T>(db: Kysely<Schema>, work: () => Promise<T>): Promise<T> =>
  db.connection().execute(async (connection) => {
    await sql.raw(VAULT_LOCK).execute(connection);
    try {
      return await work();
    } finally {
      await sql.raw(VAULT_UNLOCK).execute(connection);
    }
  });

async function rewrapSecrets(tx: Kysely<Schema>, rewrap: Parameters<Seals["rewrapAll"]>[1]): Promise<number> {
  const rows = await listRows(tx, "sealed_secrets", {});
  for (const { account, name, sealed } of rows) {
    const next = { sealed: rewrap(sealed, secretSealContext({ account, name })) };
    await updateRows(tx, "sealed_secrets", { account, name }, next);
  }
  return rows.length;
}
