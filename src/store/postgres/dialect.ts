import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from "kysely";
import type pg from "pg";
import { damagedError } from "../storage-errors.ts";
import type { StorageMonitor } from "../storage-monitor.ts";
import { storageError } from "./errors.ts";
import { supersededError, termCheck } from "./leadership.ts";
import { isLock, STORE_LOCK } from "./locks.ts";
import { toBound } from "./types.ts";
import { WriteTurns } from "./write-turns.ts";

const BEGIN_READING = "begin isolation level repeatable read read only";
const WRITES = /^\s*(insert|update|delete|alter|create|drop|merge|truncate)\b/i;

export interface DialectOptions {
  readonly pool: pg.Pool;
  readonly monitor: Pick<StorageMonitor, "fault" | "full" | "damaged" | "wrote">;
  /** Called after each commit and each statement that changed rows outside a transaction. */
  readonly onChange?: () => void;
  /** Returns the term that must still be the newest when a write is stored; undefined: no check. Default: undefined. */
  readonly term?: () => number | undefined;
  /** Turns shared with another dialect on the same pool. Default: turns of this dialect alone. */
  readonly turns?: WriteTurns;
}

/**
 * The dialect of the store. A writing transaction begins with a lock, because the repositories read before they write: the
 * lock that is its first statement or, by default, the lock of the whole store, which excludes every other writing
 * transaction as in SQLite. A transaction with the access mode `read only` sees one state and waits for no lock.
 */
export const postgresDialect = (options: DialectOptions): Dialect => ({
  createAdapter: () => new StoreAdapter(options.turns),
  createDriver: () => new StoreDriver(options),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

/** The adapter of a database, with the turns of its writing transactions. */
export class StoreAdapter extends PostgresAdapter {
  readonly turns: WriteTurns;

  constructor(turns = new WriteTurns()) {
    super();
    this.turns = turns;
  }
}

class StoreDriver implements Driver {
  readonly #options: DialectOptions;

  constructor(options: DialectOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<StoreConnection> {
    const { pool, monitor } = this.#options;
    try {
      return new StoreConnection(await pool.connect(), this.#options);
    } catch (cause) {
      throw storageError(cause, monitor, { isWrite: false });
    }
  }

  async beginTransaction(connection: StoreConnection, settings: TransactionSettings): Promise<void> {
    await connection.begin(settings.accessMode === "read only");
  }

  async commitTransaction(connection: StoreConnection): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: StoreConnection): Promise<void> {
    await connection.rollback();
  }

  async releaseConnection(connection: StoreConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    await this.#options.pool.end();
  }
}

type Statement = Pick<CompiledQuery, "sql" | "parameters">;

class StoreConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #options: DialectOptions;
  /** `due`: begun by the caller, but not sent yet: BEGIN is sent together with the lock. */
  #transaction: "none" | "reading" | "due" | "writing" = "none";
  /** True while the open transaction holds the lock of the whole store. */
  #hasStoreLock = false;
  /** True once the open transaction has changed rows. */
  #changed = false;
  #isBroken = false;
  /** Resolves when the last statement has ended: the driver sends one at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: pg.PoolClient, options: DialectOptions) {
    this.#client = client;
    this.#options = options;
  }

  async executeQuery<R>({ sql, parameters }: Statement): Promise<QueryResult<R>> {
    const { monitor } = this.#options;
    if (this.#transaction === "due") {
      await this.#lock(isLock(sql) ? sql : STORE_LOCK);
      if (isLock(sql)) return { rows: [] };
    } else if (this.#hasStoreLock && isLock(sql)) return { rows: [] };
    const isWrite = WRITES.test(sql);
    if (isWrite && monitor.fault()?.kind === "damaged") throw damagedError();
    if (isWrite && this.#transaction === "none" && this.#options.term?.() !== undefined)
      return this.#executeInTerm({ sql, parameters });
    const values = parameters.map(toBound);
    const { command, rowCount, rows } = await this.#send<R>(sql, {
      values,
      isWrite: isWrite && this.#transaction === "none",
    });
    const changedRows = /^(INSERT|UPDATE|DELETE|MERGE)$/.test(command) ? BigInt(rowCount ?? 0) : undefined;
    if (isWrite && changedRows !== 0n) this.#noteChange();
    return { rows: rows ?? [], ...(changedRows !== undefined && { numAffectedRows: changedRows }) };
  }

  // biome-ignore lint/correctness/useYield: required by the interface, and not used
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("Read pages of rows instead of a stream");
  }

  async begin(isReading: boolean): Promise<void> {
    this.#changed = false;
    this.#transaction = isReading ? "reading" : "due";
    if (!isReading) return;
    try {
      await this.#send(BEGIN_READING, { isWrite: false });
    } catch (cause) {
      // the caller rolls back only what began
      await this.rollback();
      throw cause;
    }
  }

  /** Begins in the message of the lock, so that a transaction costs no more round trips than without it. */
  async #lock(statement: string): Promise<void> {
    this.#transaction = "writing";
    this.#hasStoreLock = statement === STORE_LOCK;
    await this.#send(`begin; ${statement}`, { isWrite: false });
    const term = this.#options.term?.();
    if (term === undefined) return;
    const { rows } = await this.#send(termCheck(term), { isWrite: false });
    if (rows.length === 0) throw supersededError();
  }

  /** Runs a statement of the leader in a transaction of its own, because its term is checked in it. */
  async #executeInTerm<R>(statement: Statement): Promise<QueryResult<R>> {
    await this.begin(false);
    try {
      await this.#lock("select 1");
      const result = await this.executeQuery<R>(statement);
      await this.commit();
      return result;
    } catch (cause) {
      await this.rollback();
      throw cause;
    }
  }

  async commit(): Promise<void> {
    if (this.#end() === "due") return;
    const { command } = await this.#send("commit", { isWrite: this.#changed });
    // so PostgreSQL answers, without an error, if a statement failed whose error the caller has ignored
    if (command === "ROLLBACK")
      throw new Error("Nothing was stored: a statement of the transaction had failed");
    if (this.#changed) this.#noteChange();
  }

  async rollback(): Promise<void> {
    if (this.#end() === "due" || this.#isBroken) return;
    // a connection that cannot roll back is closed, which rolls back too; the first error says why
    await this.#client.query("rollback").catch(() => {
      this.#isBroken = true;
    });
  }

  #end() {
    const ended = this.#transaction;
    this.#transaction = "none";
    this.#hasStoreLock = false;
    return ended;
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  #noteChange(): void {
    if (this.#transaction !== "none") {
      this.#changed = true;
      return;
    }
    this.#options.monitor.wrote();
    this.#options.onChange?.();
  }

  async #send<R>(
    text: string,
    { values, isWrite }: { readonly values?: readonly unknown[]; readonly isWrite: boolean },
  ): Promise<pg.QueryResult<R & pg.QueryResultRow>> {
    const sent = this.#last.then(() =>
      this.#client.query<R & pg.QueryResultRow>(text, values as unknown[] | undefined),
    );
    this.#last = sent.catch(() => {});
    try {
      return await sent;
    } catch (cause) {
      if (isUnanswered(cause)) this.#isBroken = true;
      throw storageError(cause, this.#options.monitor, { isWrite });
    }
  }
}

/** Returns true if PostgreSQL did not answer in time: the next statement on the connection would wait for that answer too. */
const isUnanswered = (cause: unknown): boolean =>
  cause instanceof Error && cause.message === "Query read timeout";
