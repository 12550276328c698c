import pg from "pg";
import { types } from "./types.ts";

/** Maximum number of connections of one process, besides the listener. */
const MAX_CONNECTIONS = 8;
/** Maximum time to connect, and to wait for a connection while all are in use. */
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 5_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 15_000;
/** Time after the statement timeout of PostgreSQL at which a connection without any answer is closed. */
const ANSWER_GRACE_MS = 2_000;

/** Name by which the connections of servers and commands are listed in pg_stat_activity. */
export const APPLICATION = "market-signal";

/** Modes of TLS that the driver treats as verify-full, with a warning on stderr. */
const VERIFYING_MODES = ["prefer", "require", "verify-ca"];

/**
 * Returns an address for the driver: without a name of its connections, which the driver would prefer to ours, and with the
 * mode of TLS that the driver uses.
 */
function driverAddress(url: string): string {
  const address = new URL(url);
  const { searchParams: parameters } = address;
  const verifies =
    VERIFYING_MODES.includes(parameters.get("sslmode") ?? "") && parameters.get("uselibpqcompat") !== "true";
  if (!parameters.has("application_name") && !verifies) return url;
  parameters.delete("application_name");
  if (verifies) parameters.set("sslmode", "verify-full");
  return address.href;
}

/** Options of every connection. */
export const connectionTo = (url: string) =>
  ({
    connectionString: driverAddress(url),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: APPLICATION,
    client_encoding: "UTF8",
  }) satisfies pg.ClientConfig;

/** Creates one connection that is not open yet. If it breaks, its statement fails; without a handler, the process would end. */
export function newClient(url: string, options: pg.ClientConfig = {}): pg.Client {
  const client = new pg.Client({ ...connectionTo(url), ...options });
  client.on("error", () => {});
  return client;
}

interface PoolOptions {
  readonly max?: number;
  /** Time after which PostgreSQL ends a statement; 0: never. Default: 10 s. */
  readonly statementTimeoutMs?: number;
  /** Time after which a statement without any answer fails. Default: 2 s after the statement timeout. */
  readonly answerTimeoutMs?: number;
}

/** Opens a pool, which connects on demand. `max`: number of connections; default: 8. */
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
  // an idle connection that breaks is replaced; the statement of one in use gets the error. Without a handler, the process would end
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.on("error", () => {}));
  return pool;
}
