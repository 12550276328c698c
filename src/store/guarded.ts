import type { SqliteDatabase, SqliteStatement } from "kysely";
import { createBoundedCache } from "../lib/bounded-cache.ts";
import { SqliteError } from "./sqlite/connection.ts";
import type { Database } from "./sqlite/database.ts";
import { busyError, damagedError, fullError, LOCKED_MESSAGE } from "./storage-errors.ts";
import type { StorageMonitor } from "./storage-monitor.ts";

/** Number of prepared statements that are kept for their next use. */
const MAX_STATEMENTS = 200;
/** Memory of a prepared statement, bytes. */
const STATEMENT_BYTES = 4_096;

/**
 * Wraps the database for queries and records its faults in the monitor. A full or failing disk becomes STORAGE_FULL,
 * and the transaction is rolled back; the write lock of another process becomes STORAGE_BUSY; damage becomes
 * STORAGE_DAMAGED, and nothing is written from then on. Transactions take the write lock when they begin, because one
 * that reads before it locks fails when another process writes in between.
 */
export function guarded(raw: Database, monitor: StorageMonitor): SqliteDatabase {
  const changesMade = raw.prepare("SELECT total_changes()").pluck();
  let changesBefore: unknown;

  function guard<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw storageError(cause, monitor);
    }
  }

  const statements = createBoundedCache<string, SqliteStatement>({
    name: "statements",
    max: MAX_STATEMENTS,
    sizeOf: () => STATEMENT_BYTES,
  });

  function statement(sql: string): SqliteStatement {
    const prepared = raw.prepare(sql === "begin" ? "begin immediate" : sql);
    // SQLite calls a commit read-only, as the statements before it write.
    const writes = sql === "begin" || sql === "commit" || !prepared.readonly;
    const run = <T>(work: () => T): T => {
      if (!writes) return guard(work);
      if (monitor.fault()?.kind === "damaged") throw damagedError();
      if (!raw.inTransaction) changesBefore = changesMade.get();
      const result = guard(work);
      // A transaction or statement that changed no row has written nothing.
      if (!raw.inTransaction && changesMade.get() !== changesBefore) monitor.wrote();
      return result;
    };
    return {
      reader: prepared.reader,
      all: (values) => run(() => prepared.all(...values)),
      run: (values) => run(() => prepared.run(...values)),
      // rows are read between other statements, which may use the same SQL
      iterate: (values) => raw.prepare(sql).iterate(...values),
    };
  }

  function reused(sql: string): SqliteStatement {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const prepared = statement(sql);
    statements.set(sql, prepared);
    return prepared;
  }

  return {
    close: () => {
      raw.close();
    },
    prepare: (sql) =>
      // SQLite has already rolled back after a full disk; a second rollback would hide the original error.
      sql === "rollback" && !raw.inTransaction ? ALREADY_DONE : guard(() => reused(sql)),
  };
}

const ALREADY_DONE: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
};

/** Converts the error of a statement and records its fault; returns any other error unchanged. */
function storageError(cause: unknown, monitor: StorageMonitor): unknown {
  if (!(cause instanceof SqliteError)) return cause;
  if (/^SQLITE_(FULL|IOERR|READONLY$)/.test(cause.code)) {
    monitor.full(cause);
    return fullError(cause);
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(cause.code)) {
    monitor.damaged(cause);
    return damagedError(cause);
  }
  return /^SQLITE_BUSY/.test(cause.code) ? busyError(cause, LOCKED_MESSAGE) : cause;
}
