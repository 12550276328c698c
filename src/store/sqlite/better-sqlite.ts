import module from "node:module";
import type BetterSqlite3 from "better-sqlite3";
import { SetupError } from "../../lib/setup-error.ts";
import {
  type Connection,
  converting,
  convertingRows,
  type OpenConnection,
  SqliteError,
  type Statement,
} from "./connection.ts";

/** Returns the driver on the package better-sqlite3, for Node before 22.16. @throws SetupError if it is not installed */
export function openBetterSqlite(): OpenConnection {
  const Driver = loadPackage();
  return (file, options) => {
    const db = convert(() => new Driver(file, options));
    const connection: Connection = {
      get open() {
        return db.open;
      },
      get inTransaction() {
        return db.inTransaction;
      },
      exec: (statements) => void convert(() => db.exec(statements)),
      prepare: (sql) => statement(convert(() => db.prepare(sql))),
      close: () => void convert(() => db.close()),
    };
    return connection;
  };
}

function loadPackage(): typeof BetterSqlite3 {
  try {
    const Driver: typeof BetterSqlite3 = module.createRequire(import.meta.url)("better-sqlite3");
    new Driver(":memory:").close(); // loads the compiled part, which belongs to one version of Node
    return Driver;
  } catch (cause) {
    throw new SetupError(
      "Node before 22.16 has no complete SQLite of its own, and the package better-sqlite3 could not be installed or was installed for another version. Use Node 22.16 or later, or install a C++ toolchain (python3, make, g++) and run the installation again",
      { cause },
    );
  }
}

function statement(prepared: BetterSqlite3.Statement): Statement {
  return {
    reader: prepared.reader,
    readonly: prepared.readonly,
    all: (...values) => convert(() => prepared.all(...values)),
    get: (...values) => convert(() => prepared.get(...values)),
    run: (...values) => convert(() => prepared.run(...values)),
    iterate: (...values) =>
      convertingRows(
        sqliteError,
        convert(() => prepared.iterate(...values)),
      ),
    pluck: () => statement(prepared.pluck()),
  };
}

const convert = <T>(work: () => T): T => converting(sqliteError, work);

/** Returns an error of the package as a SqliteError; any other error unchanged. */
const sqliteError = (cause: unknown): unknown =>
  cause instanceof Error && "code" in cause && /^SQLITE_/.test(String(cause.code))
    ? new SqliteError(cause.message, String(cause.code), { cause })
    : cause;
