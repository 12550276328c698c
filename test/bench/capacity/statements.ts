import pg from "pg";
import { RECORD_LOCK, STORE_LOCK } from "../../../src/store/postgres/locks.ts";

/** What this process sent to PostgreSQL. */
export interface Sent {
  readonly statements: number;
  /** Transactions that write, each of several statements. */
  readonly transactions: number;
  /** Those of them that hold the lock of the whole store. */
  readonly storeLocks: number;
  /** Those that hold the lock of records. */
  readonly recordLocks: number;
  /** Messages to other processes. */
  readonly notifications: number;
}

const NONE: Sent = { statements: 0, transactions: 0, storeLocks: 0, recordLocks: 0, notifications: 0 };

export interface StatementCounter {
  /** Returns the counts since the last time, divided by a number of calls. Default: 1. */
  take(calls?: number): Sent;
  end(): void;
}

/** Counts the statements of every connection of this process. */
export function countStatements(): StatementCounter {
  const { prototype } = pg.Client as unknown as {
    readonly prototype: { query: (this: object, ...given: unknown[]) => unknown };
  };
  const { query } = prototype;
  let sent: { -readonly [Field in keyof Sent]: number } = { ...NONE };
  prototype.query = function (...given) {
    const [first] = given;
    const text = typeof first === "string" ? first : ((first as { readonly text?: string }).text ?? "");
    sent.statements++;
    if (/^notify|pg_notify/i.test(text)) sent.notifications++;
    if (text.startsWith("begin; ")) sent.transactions++;
    if (text === `begin; ${STORE_LOCK}`) sent.storeLocks++;
    if (text === `begin; ${RECORD_LOCK}`) sent.recordLocks++;
    return query.apply(this, given);
  };
  return {
    take(calls = 1) {
      const { statements, transactions, storeLocks, recordLocks, notifications } = sent;
      sent = { ...NONE };
      return {
        statements: statements / calls,
        transactions: transactions / calls,
        storeLocks: storeLocks / calls,
        recordLocks: recordLocks / calls,
        notifications: notifications / calls,
      };
    },
    end() {
      prototype.query = query;
    },
  };
}
