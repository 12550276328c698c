import pg from "pg";
import { types } from "./types.ts";

/** Connections of one process, besides the one that listens. */
const MAX_CONNECTIONS = 8;
/** Time to connect, and to wait for a connection while all are in use. */
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 5_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 15_000;

/** How every connection is opened. */
export const connectionTo = (url: string) =>
  ({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: "market-signal",
    client_encoding: "UTF8",
  }) satisfies pg.ClientConfig;

/** Opens connections on demand. Default: 8, and statements that end after 10 s. */
export function openPool(
  url: string,
  { max = MAX_CONNECTIONS, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = {},
): pg.Pool {
  const pool = new pg.Pool({
    ...connectionTo(url),
    max,
    types,
    statement_timeout: statementTimeoutMs,
    lock_timeout: statementTimeoutMs === 0 ? 0 : LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
  });
  // one that breaks while idle is replaced, and the statement of one in use gets the error; unheard, it would end the process
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.on("error", () => {}));
  return pool;
}
