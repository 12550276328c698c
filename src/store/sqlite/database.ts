import { openBetterSqlite } from "./better-sqlite.ts";
import type { Connection, ConnectionOptions, OpenConnection, Statement } from "./connection.ts";
import { openNodeSqlite } from "./node-sqlite.ts";

const DEFAULT_TIMEOUT_MS = 5_000;

interface DatabaseOptions extends Partial<ConnectionOptions> {
  /** Opens a connection of the driver. Default: SQLite of Node from Node 22.16 on, else better-sqlite3. */
  readonly driver?: OpenConnection;
}

/** A connection to a SQLite file, or to a database in memory if the file is ":memory:". Every call is synchronous. */
export class Database {
  readonly name: string;
  readonly #connection: Connection;

  /** @throws SqliteError if the file cannot be opened, SetupError if no driver is installed */
  constructor(file: string, options: DatabaseOptions = {}) {
    const { timeout = DEFAULT_TIMEOUT_MS, readonly = false, driver = defaultDriver() } = options;
    this.name = file;
    this.#connection = driver(file, { timeout, readonly });
  }

  get open(): boolean {
    return this.#connection.open;
  }

  get inTransaction(): boolean {
    return this.#connection.inTransaction;
  }

  /** Executes any number of statements. */
  exec(statements: string): void {
    this.#connection.exec(statements);
  }

  prepare<Row = any>(sql: string): Statement<Row> {
    return this.#connection.prepare(sql);
  }

  /** Executes a PRAGMA. Returns its rows; with `simple`, the first column of the first row. */
  pragma(source: string, { simple = false } = {}): unknown {
    const statement = this.prepare(`PRAGMA ${source}`);
    if (!statement.reader) return void statement.run();
    return simple ? statement.pluck().get() : statement.all();
  }

  /** Runs the work in a transaction that takes the write lock when it begins, and rolls back if the work throws. */
  immediate<T>(work: () => T): T {
    this.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.exec("COMMIT");
      return result;
    } catch (cause) {
      if (this.inTransaction) this.exec("ROLLBACK"); // SQLite rolls back by itself after some errors
      throw cause;
    }
  }

  /** Closes the connection; does nothing if it is closed. */
  close(): void {
    if (this.open) this.#connection.close();
  }
}

const defaultDriver = (): OpenConnection => openNodeSqlite() ?? openBetterSqlite();
