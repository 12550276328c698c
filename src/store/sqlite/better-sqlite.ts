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

const loadPackage = (): typeof BetterSqlite3 =>
  module.createRequire(import.meta.url)("better-sqlite3") as typeof BetterSqlite3;

/**
 * Returns the driver on the package better-sqlite3, for Node before 22.16. @throws SetupError if it is not installed or
 * was built for another Node
 */
export function openBetterSqlite(load = loadPackage): OpenConnection {
  const Driver = loadDriver(load);
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

function loadDriver(load: () => typeof BetterSqlite3): typeof BetterSqlite3 {
  try {
    const Driver = load();
    new Driver(":memory:").close(); // loads the compiled part, which belongs to one version of Node
    return Driver;
  } catch (cause) {
    const isBuilt = cause instanceof Error && "code" in cause && cause.code === "ERR_DLOPEN_FAILED";
    throw new SetupError(isBuilt ? BUILT_FOR_ANOTHER : NOT_INSTALLED, { cause });
  }
}

const BUILT_FOR_ANOTHER = `the package better-sqlite3 was built for another version of Node or another system than this one (Node ${process.versions.node} on ${process.platform} ${process.arch}). Run \`npm rebuild better-sqlite3\` with this Node in the folder of the program, or start the program with the Node that installed it`;
const NOT_INSTALLED =
  "Node before 22.16 has no complete SQLite of its own, and the package better-sqlite3 could not be installed. Use Node 22.16 or later, or install a C++ toolchain (python3, make, g++) and run npm ci again; where it cannot download Node's headers, npm_config_nodedir=/usr npm ci uses those of the machine";

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
