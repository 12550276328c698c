import { type Kysely, sql, type Transaction } from "kysely";
import { isPostgres } from "./engine.ts";
import { StoreAdapter } from "./postgres/dialect.ts";
import {
  accountLock,
  RECORD_LOCK,
  SEQUENCE_LOCK,
  SHARED_SEQUENCE_LOCK,
  STORE_LOCK,
} from "./postgres/locks.ts";
import type { Schema } from "./schema.ts";

type Work<T> = (tx: Transaction<Schema>) => Promise<T>;

/*
 * Writing transactions, each with a lock that it holds from its beginning to its end. SQLite has one lock, so that each
 * transaction excludes all others. A single statement that writes takes no lock: its conditions are in the statement.
 */

/** Runs work that excludes every other writing transaction. */
export const storeTransaction = <T>(db: Kysely<Schema>, work: Work<T>): Promise<T> =>
  transaction(db, STORE_LOCK, work);

/**
 * Runs work that reads and changes only rows of one account. It excludes the other transactions of the account, and those
 * of the whole store.
 */
export const accountTransaction = <T>(db: Kysely<Schema>, account: string, work: Work<T>): Promise<T> =>
  transaction(db, accountLock(account), work);

/** Runs work that only appends rows with the next number of all, as the audit log does. It excludes other such work. */
export const appendTransaction = <T>(db: Kysely<Schema>, work: Work<T>): Promise<T> =>
  transaction(db, SHARED_SEQUENCE_LOCK, work);

/**
 * Runs work that stores what a process has observed, in rows and columns that no transaction of an account changes: prices,
 * signals, answers, rows of runs, counts of calls and last uses. It excludes other such work, so that no two wait for each
 * other's rows, and transactions of the whole store, but not those of accounts.
 */
export const recordTransaction = <T>(db: Kysely<Schema>, work: Work<T>): Promise<T> =>
  transaction(db, RECORD_LOCK, work);

/**
 * Excludes other transactions that take row numbers from sequences, until this one ends: readers continue after the highest
 * number, so a lower one must not be stored later. Call it after the account is locked.
 */
export const lockSequences = (tx: Kysely<Schema>): Promise<void> => lock(tx, SEQUENCE_LOCK);

function transaction<T>(db: Kysely<Schema>, statement: string, work: Work<T>): Promise<T> {
  const { adapter } = db.getExecutor();
  const run = () =>
    db.transaction().execute(async (tx) => {
      await lock(tx, statement);
      return work(tx);
    });
  return adapter instanceof StoreAdapter ? adapter.turns.run(statement, run) : run();
}

async function lock(tx: Kysely<Schema>, statement: string): Promise<void> {
  if (isPostgres(tx)) await sql.raw(statement).execute(tx);
}
