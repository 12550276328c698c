import pg from "pg";
import { types } from "./types.ts";

/** Connections of one process, besides the one that listens. */
const MAX_CONNECTIONS = 8;
/** Time to connect, and to wait for a connection while all are in use. */
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 5_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 15_000;
/** Time after the end of a statement by its server at which a server that does not answer at all is given up. */
const ANSWER_GRACE_MS = 2_000;

/** Name by which the connections of servers and commands are listed in pg_stat_activity. */
export const APPLICATION = "market-signal";

/** How every connection is opened. */
export const connectionTo = (url: string) =>
  ({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: APPLICATION,
    client_encoding: "UTF8",
  }) satisfies pg.ClientConfig;

interface PoolOptions {
  readonly max?: number;
  /** Time after which the server ends a statement; 0: never. */
  readonly statementTimeoutMs?: number;
  /** Time after which a server that does not answer is given up. Default: 2 s more than that of a statement. */
  readonly answerTimeoutMs?: number;
}

/** Opens connections on demand. Default: 8, and statements that end after 10 s. */
export function openPool(
  url: string,
  { max = MAX_CONNECTIONS, statementTimeoutMs = STATEMENT_TIMEOUT_MS, answerTimeoutMs }: PoolOptions = {},
): pg.Pool {
  const pool = new pg.Pool({
    ...connectionTo(url),
    max,
    types,
    statement_timeout: statementTimeoutMs,
    query_timeout: answerTimeoutMs ?? (statementTimeoutMs === 0 ? 0 : statementTimeoutMs + ANSWER_GRACE_MS),
    lock_timeout: statementTimeoutMs === 0 ? 0 : LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
  });
  // one that breaks while idle is replaced, and the statement of one in use gets the error; unheard, it would end the process
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.on("error", () => {}));
  return pool;
}
