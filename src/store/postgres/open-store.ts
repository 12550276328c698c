import { tmpdir } from "node:os";
import { Kysely, type Migration, sql } from "kysely";
import type { Clock, Log } from "../../domain/ports.ts";
import type { Tracer } from "../../domain/tracing-port.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { MIGRATIONS } from "../migrations/index.ts";
import type { Schema } from "../schema.ts";
import { createStorageMonitor, type StorageMonitor } from "../storage-monitor.ts";
import type { Store } from "../store.ts";
import { tracedDialect } from "../traced-dialect.ts";
import { createUpkeep, type Upkeep, type UpkeepOptions } from "../upkeep/upkeep.ts";
import { listenToChanges } from "./changes.ts";
import { forPostgres } from "./ddl.ts";
import { type DialectOptions, postgresDialect } from "./dialect.ts";
import { createLeadership } from "./leadership.ts";
import { openListener } from "./listener.ts";
import { appliedMigrations, migratePostgres } from "./migrate.ts";
import { connectPeers } from "./peers.ts";
import { openPool } from "./pool.ts";
import { probePostgres } from "./probe.ts";
import { serverClock } from "./server-clock.ts";
import { assertSessions } from "./session-check.ts";
import { openPostgresRateLimits } from "./windows.ts";
import { WriteTurns } from "./write-turns.ts";

export interface PostgresStoreOptions {
  readonly url: string;
  /** Address for messages between servers, session locks, migrations and backups. Default: `url`. */
  readonly directUrl?: string | undefined;
  readonly clock: Clock;
  readonly log?: Log | undefined;
  readonly migrations?: Readonly<Record<string, Migration>>;
  /** Time by which quotas are counted. Default: that of the database. */
  readonly quotaClock?: Clock | undefined;
  /** Records each transaction. Default: none is recorded. */
  readonly tracer?: Tracer | undefined;
  /** Folder and interval of backups. Default: only those that are requested, in the folder of temporary files. */
  readonly backups?: Pick<UpkeepOptions, "file" | "dataDir" | "hook" | "schedule" | "jobs"> | undefined;
}

/**
 * Opens a PostgreSQL database and applies missing migrations. Several processes may use it at the same time.
 * @throws SetupError if the database cannot be reached or used, a newer version has migrated it, or a migration fails
 */
export async function openPostgresStore({
  url,
  directUrl = url,
  clock,
  log,
  migrations = MIGRATIONS,
  quotaClock,
  tracer,
  backups,
}: PostgresStoreOptions): Promise<Store> {
  const name = describeUrl(url);
  const monitor = createStorageMonitor({
    clock,
    log,
    hasRoom: () => true, // called after a write has succeeded; the disk is that of the database server
    recoveryMessage: () => `The database ${name} is damaged; restore a backup of it`,
  });
  await prepare(directUrl, { migrations, monitor, name, log });
  await assertSessions(directUrl, directUrl === url ? "DATABASE_URL" : "DATABASE_DIRECT_URL");
  const pool = openPool(url);
  const listener = await openListener(directUrl, log);
  const changes = await listenToChanges(listener);
  const shared = { pool, monitor, onChange: () => changes.note(), turns: new WriteTurns() };
  const db = new Kysely<Schema>({ dialect: tracedDialect(postgresDialect(shared), tracer) });
  const { lead, leads, term } = createLeadership(listener, { db, log });
  const backgroundDb = new Kysely<Schema>({
    dialect: tracedDialect(postgresDialect({ ...shared, term }), tracer),
  });
  const upkeep = upkeepOf(db, monitor, { url: directUrl, clock, log, backups });
  const peers = connectPeers(listener, log);
  const time = await serverClock(db, clock);
  return {
    clock: time,
    file: null,
    db,
    backgroundDb,
    replicas: { peers, join: peers.join, lead, leads },
    health: monitor,
    upkeep,
    openRateLimits: async () => openPostgresRateLimits(pool, monitor, quotaClock),
    version: () => changes.version(),
    probe: () => probePostgres({ db, pool, clock, changes }),
    async waitForWriteLock() {},
    async close() {
      time.close();
      await upkeep.close();
      await changes.close();
      await listener.close();
      await db.destroy();
    },
  };
}

/** Applies missing migrations, on a connection without time limits. @throws SetupError */
async function prepare(
  url: string,
  {
    migrations,
    monitor,
    name,
    log,
  }: Required<Pick<PostgresStoreOptions, "migrations">> & {
    readonly monitor: StorageMonitor;
    readonly name: string;
    readonly log: Log | undefined;
  },
): Promise<void> {
  const applied = await withOneConnection(url, (db) => migratePostgres(db, migrations, name), monitor);
  if (applied.length > 0) log?.info("database_migrated", { database: name, migrations: applied });
}

const NO_MONITOR: DialectOptions["monitor"] = { fault: () => null, full() {}, damaged() {}, wrote() {} };

/**
 * Runs work on a connection without time limits, to which the statements of migrations can be sent. Default monitor: none.
 * @throws SetupError if the database cannot be reached
 */
async function withOneConnection<T>(
  url: string,
  work: (db: Kysely<Schema>) => Promise<T>,
  monitor = NO_MONITOR,
): Promise<T> {
  const pool = openPool(url, { max: 1, statementTimeoutMs: 0 });
  const db = new Kysely<Schema>({ dialect: postgresDialect({ pool, monitor }), plugins: [forPostgres] });
  try {
    return await work(db);
  } catch (cause) {
    throw connectionError(describeUrl(url), cause);
  } finally {
    await db.destroy();
  }
}

/** Applies missing migrations to a database that may be new. @throws SetupError */
export const migrateAt = (url: string): Promise<readonly string[]> =>
  withOneConnection(url, (db) => migratePostgres(db, MIGRATIONS, describeUrl(url)));

/** Returns the names of the migrations of a database; none for a new one. @throws SetupError */
export const appliedAt = (url: string): Promise<readonly string[]> =>
  withOneConnection(url, appliedMigrations);

/** Creates the upkeep, which writes backups and detects the end of a full disk; PostgreSQL checks its data itself. */
function upkeepOf(
  db: Kysely<Schema>,
  monitor: StorageMonitor,
  options: Pick<PostgresStoreOptions, "url" | "clock" | "log" | "backups">,
): Upkeep {
  const { url, clock, log, backups } = options;
  return createUpkeep({
    url,
    clock,
    log,
    ...(backups ?? { dataDir: tmpdir(), file: tmpdir(), hook: null, schedule: { everyMs: null, keep: 1 } }),
    monitor,
    recover() {
      if (monitor.fault()?.kind !== "full") return;
      // the monitor records whether the statement succeeds
      sql`update kysely_migration_lock set is_locked = is_locked`.execute(db).catch(() => {});
    },
  });
}

/** Returns the host and the name of the database of an address, without the user and the password. */
export function describeUrl(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(28...)$/, "PostgreSQL refuses the user or the password; correct them"],
  [/^3D000$/, "it does not exist; create it with createdb"],
  [/^42501$/, "the user may not create tables in it; make that user its owner"],
  [
    /^25006$/,
    "it accepts no writes, as a standby or while its disk is full; name the primary server, or end that",
  ],
  [/^53300$/, "all connections of PostgreSQL are taken; raise max_connections, or stop what holds them"],
  [/^57P0.$/, "PostgreSQL is starting or stopping; try again in a moment"],
  [/^3F000$/, "there is no schema that the user may use; grant it one, or correct the search_path"],
  [/^(22023|42704)$/, "PostgreSQL refuses a parameter of the address; correct it"],
  [
    /CERT|SIGNATURE|^ERR_TLS/,
    "the certificate of PostgreSQL is not trusted; add sslrootcert=<file of its authority> to the address",
  ],
  [/^(ENOENT|EACCES)$/, "a file of the address cannot be read; correct its path"],
  [/^E[A-Z_]+$/, "PostgreSQL does not answer; start it, or correct the address"],
];
const OTHER_REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /password must be a (non-empty )?string/,
    "PostgreSQL asks for a password, and the address has none; add it, or set PGPASSWORD",
  ],
  [/Connection terminated/, "PostgreSQL does not answer; start it, or correct the address"],
  [/does not support SSL/, "PostgreSQL does not offer TLS; turn it on, or remove sslmode from the address"],
  [
    /timeout (expired|exceeded)|connection timeout|read timeout/,
    "PostgreSQL does not answer in time; start it, or correct the address",
  ],
];

/** Converts an error of the first connection to a SetupError that says what to do; returns any other error unchanged. */
export function connectionError(name: string, cause: unknown): unknown {
  const unusable = (reason: string) =>
    new SetupError(`The database ${name} cannot be opened: ${reason}`, { cause });
  for (let error = cause; error instanceof Error; error = error.cause) {
    const { code = "", message } = error as { readonly code?: unknown; readonly message: string };
    const reason = REASONS.find(([codes]) => codes.test(String(code)))?.[1];
    if (reason !== undefined) return unusable(`${reason} (${code})`);
    const other = OTHER_REASONS.find(([messages]) => messages.test(message))?.[1];
    if (other !== undefined) return unusable(other);
  }
  return cause;
}
