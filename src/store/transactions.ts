import { type Kysely, sql, type Transaction } from "kysely";
import { isPostgres } from "./engine.ts";
import { accountLock, SEQUENCE_LOCK, SHARED_SEQUENCE_LOCK } from "./postgres/locks.ts";
import type { Schema } from "./schema.ts";

type Work<T> = (tx: Transaction<Schema>) => Promise<T>;

/*
 * What a writing transaction excludes from its beginning to its end. SQLite has one lock, so that there each excludes all
 * others. A single statement that writes excludes nothing and waits for none: its conditions are in the statement.
 */

/** Runs work that excludes every other writing transaction. */
export const storeTransaction = <T>(db: Kysely<Schema>, work: Work<T>): Promise<T> =>
  db.transaction().execute(work);

/**
 * Runs work that decides by rows of one account and changes no others. It excludes the other transactions of the account,
 * and those of the whole store.
 */
export const accountTransaction = <T>(db: Kysely<Schema>, account: string, work: Work<T>): Promise<T> =>
  db.transaction().execute(async (tx) => {
    await lock(tx, accountLock(account));
    return work(tx);
  });

/** Runs work that only appends rows with the next number of all, as the audit log does. It excludes other such work. */
export const appendTransaction = <T>(db: Kysely<Schema>, work: Work<T>): Promise<T> =>
  db.transaction().execute(async (tx) => {
    await lock(tx, SHARED_SEQUENCE_LOCK);
    return work(tx);
  });

/**
 * Excludes others that draw numbers of rows, until the transaction ends: readers continue after the highest number, so
 * that a lower one must not be stored after it. Call it last, when the account is locked.
 */
export const lockSequences = (tx: Kysely<Schema>): Promise<void> => lock(tx, SEQUENCE_LOCK);

async function lock(tx: Kysely<Schema>, statement: string): Promise<void> {
  if (isPostgres(tx)) await sql.raw(statement).execute(tx);
}
