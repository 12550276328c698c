import Database from "better-sqlite3";
import type { SqliteDatabase, SqliteStatement } from "kysely";
import { ToolError } from "../../kernel/errors.ts";

/**
 * Wraps the database for queries: a full or failing disk becomes STORAGE_FULL, and the transaction is rolled back.
 * Transactions take the write lock when they begin, because one that reads before it locks fails when another process
 * writes in between.
 */
export const guarded = (raw: Database.Database): SqliteDatabase => ({
  close: () => {
    raw.close();
  },
  prepare: (sql) =>
    // SQLite has already rolled back after a full disk; a second rollback would hide the original error.
    sql === "rollback" && !raw.inTransaction
      ? ALREADY_DONE
      : guard(() => statement(raw.prepare(sql === "begin" ? "begin immediate" : sql))),
});

const ALREADY_DONE: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
};

const statement = (prepared: Database.Statement): SqliteStatement => ({
  reader: prepared.reader,
  all: (values) => guard(() => prepared.all(...values)),
  run: (values) => guard(() => prepared.run(...values)),
  iterate: (values) => prepared.iterate(...values),
});

function guard<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof Database.SqliteError && /^SQLITE_(FULL|IOERR)/.test(cause.code))) throw cause;
    throw new ToolError("STORAGE_FULL", "Nothing can be stored: the disk is full or failing", {
      hint: "Calls that only read still work. The server owner has to free disk space.",
      cause,
    });
  }
}
