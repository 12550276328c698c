import {
  type Connection,
  converting,
  convertingRows,
  type OpenConnection,
  SqliteError,
  type Statement,
} from "./connection.ts";

/** What is used of `node:sqlite`. @see https://nodejs.org/api/sqlite.html */
interface NodeSqlite {
  readonly DatabaseSync: new (file: string, options: { timeout: number; readOnly: boolean }) => DatabaseSync;
  readonly StatementSync: { readonly prototype: StatementSync };
}

interface DatabaseSync {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): StatementSync;
  close(): void;
}

interface StatementSync {
  all(...values: readonly unknown[]): object[];
  get(...values: readonly unknown[]): object | undefined;
  run(...values: readonly unknown[]): { changes: number; lastInsertRowid: number };
  iterate(...values: readonly unknown[]): IterableIterator<object>;
  columns(): readonly object[];
}

/** Returns the driver on SQLite of Node; null before Node 22.16, which lacks a part of it. */
export function openNodeSqlite(): OpenConnection | null {
  const sqlite = loadModule();
  if (sqlite === undefined || !("columns" in sqlite.StatementSync.prototype)) return null;
  return (file, { timeout, readonly }) => {
    const db = convert(() => new sqlite.DatabaseSync(file, { timeout, readOnly: readonly }));
    const connection: Connection = {
      get open() {
        return db.isOpen;
      },
      get inTransaction() {
        return db.isTransaction;
      },
      exec: (statements) => convert(() => db.exec(statements)),
      prepare: (sql) =>
        statement(
          convert(() => db.prepare(sql)),
          sql,
        ),
      close: () => convert(() => db.close()),
    };
    return connection;
  };
}

/** Loads the module without its warning that SQLite is experimental; undefined if this version of Node has none. */
function loadModule(): NodeSqlite | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule("node:sqlite" as "node:fs") as unknown as NodeSqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** SQL that changes no row; a common table expression counts if nothing in it writes. */
const READS = /^\s*(select|values|explain|pragma|commit|rollback|savepoint|release)\b/i;
const READING_WITH = /^\s*with\b(?![\s\S]*\b(insert|update|delete|replace)\b)/i;

function statement(prepared: StatementSync, sql: string): Statement {
  const rows: Statement = {
    reader: convert(() => prepared.columns()).length > 0,
    readonly: READS.test(sql) || READING_WITH.test(sql),
    all: (...values) => convert(() => prepared.all(...bindable(values))),
    get: (...values) => convert(() => prepared.get(...bindable(values))),
    run: (...values) => convert(() => prepared.run(...bindable(values))),
    iterate: (...values) =>
      convertingRows(
        sqliteError,
        convert(() => prepared.iterate(...bindable(values))),
      ),
    pluck: () => ({
      ...rows,
      all: (...values) => rows.all(...values).map(firstColumn),
      get: (...values) => firstColumn(rows.get(...values)),
    }),
  };
  return rows;
}

/** Returns the values as better-sqlite3 binds them, whatever the version of Node: undefined as null, and no booleans. */
function bindable(values: readonly unknown[]): readonly unknown[] {
  if (values.some((value) => typeof value === "boolean"))
    throw new TypeError("SQLite can only bind numbers, strings, bigints, buffers, and null");
  return values.includes(undefined) ? values.map((value) => value ?? null) : values;
}

const firstColumn = (row: object | undefined): unknown =>
  row === undefined ? undefined : Object.values(row)[0];

const convert = <T>(work: () => T): T => converting(sqliteError, work);

/** Names of the result codes of SQLite by number. @see https://sqlite.org/rescode.html */
const RESULT_CODES: Readonly<Record<number, string>> = {
  1: "SQLITE_ERROR",
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  7: "SQLITE_NOMEM",
  8: "SQLITE_READONLY",
  9: "SQLITE_INTERRUPT",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  17: "SQLITE_SCHEMA",
  18: "SQLITE_TOOBIG",
  19: "SQLITE_CONSTRAINT",
  20: "SQLITE_MISMATCH",
  21: "SQLITE_MISUSE",
  25: "SQLITE_RANGE",
  26: "SQLITE_NOTADB",
};

/** Extended result code of a row that refers to a row which does not exist. */
const FOREIGN_KEY = 787;

/** Returns an error of the module as a SqliteError; any other error unchanged. */
function sqliteError(cause: unknown): unknown {
  if (!(cause instanceof Error && "errcode" in cause && typeof cause.errcode === "number")) return cause;
  const primary = cause.errcode & 0xff;
  const extended = cause.errcode >> 8;
  if (cause.errcode === FOREIGN_KEY)
    return new SqliteError(cause.message, "SQLITE_CONSTRAINT_FOREIGNKEY", { cause });
  const name = RESULT_CODES[primary] ?? `SQLITE_${primary}`;
  return new SqliteError(cause.message, extended === 0 ? name : `${name}_${extended}`, { cause });
}
