export interface ConnectionOptions {
  /** Time for which a statement blocks this process while another one writes, in milliseconds. */
  readonly timeout: number;
  /** Refuses every write. */
  readonly readonly: boolean;
}

/** Opens a connection of one driver. @throws SqliteError if the file cannot be opened */
export type OpenConnection = (file: string, options: ConnectionOptions) => Connection;

/** What the store uses of a driver. Every call may throw SqliteError. */
export interface Connection {
  readonly open: boolean;
  readonly inTransaction: boolean;
  exec(statements: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface RunResult {
  readonly changes: number | bigint;
  readonly lastInsertRowid: number | bigint;
}

/** A prepared statement. Values are positional, or one object for named parameters. */
export interface Statement<Row = any> {
  /** True if the statement returns rows. */
  readonly reader: boolean;
  /** True if the statement changes no row. */
  readonly readonly: boolean;
  all(...values: readonly unknown[]): Row[];
  get(...values: readonly unknown[]): Row | undefined;
  run(...values: readonly unknown[]): RunResult;
  iterate(...values: readonly unknown[]): IterableIterator<Row>;
  /** Returns a statement that yields the first column of each row in place of the row. */
  pluck(): Statement;
}

/** Error of SQLite. `code` is the name of its result code, such as SQLITE_BUSY; extended codes have more after it. */
export class SqliteError extends Error {
  readonly code: string;

  constructor(message: string, code: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SqliteError";
    this.code = code;
  }
}

/** Returns the work's result. Its errors are thrown as `convert` returns them. */
export function converting<T>(convert: (cause: unknown) => unknown, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw convert(cause);
  }
}

/** Returns the same iterator; its errors are thrown as `convert` returns them. */
export function* convertingRows<T>(
  convert: (cause: unknown) => unknown,
  rows: IterableIterator<T>,
): IterableIterator<T> {
  try {
    yield* rows;
  } catch (cause) {
    throw convert(cause);
  }
}
