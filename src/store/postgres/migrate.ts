import { type Kysely, type Migration, sql } from "kysely";
import { SetupError } from "../../lib/setup-error.ts";
import { version } from "../../lib/version.ts";
import { applyMissing } from "../apply-migrations.ts";
import type { Schema } from "../schema.ts";
import { LEADER_TABLE } from "./leadership.ts";
import { PEER_TABLE } from "./peers.ts";
import { WINDOW_TABLES } from "./windows.ts";

/** Tables that only PostgreSQL has. */
const OTHER_TABLES: readonly string[] = [...WINDOW_TABLES, LEADER_TABLE, PEER_TABLE];
export const OTHER_TABLE_NAMES: readonly string[] = OTHER_TABLES.map(
  (statement) => /EXISTS (\w+)/.exec(statement)![1]!,
);
/** Number of tables that a message names. */
const SHOWN = 3;

/** Key of the advisory lock under which one process at a time applies migrations, or copies all rows. */
export const MIGRATION_LOCK = 7_002;
/** Oldest supported major version of PostgreSQL. */
const MIN_VERSION = 14;

/**
 * Applies all missing migrations or, on failure, none; processes that start at the same time wait for each other. `name`:
 * name of the database in messages. Returns the names of the applied migrations. @throws SetupError if PostgreSQL is too
 * old, the encoding is not UTF8, a newer version has migrated the database, it has tables of something else, or a migration
 * fails
 */
export const migratePostgres = (
  db: Kysely<Schema>,
  migrations: Readonly<Record<string, Migration>>,
  name: string,
): Promise<readonly string[]> =>
  db.connection().execute(async (connection) => {
    await assertUsable(connection, name);
    await sql`select pg_advisory_lock(${sql.lit(MIGRATION_LOCK)})`.execute(connection);
    try {
      const applied = await appliedMigrations(connection);
      const newer = applied.filter((migration) => !(migration in migrations));
      if (newer.length > 0) throw newerError(name, newer, await migratedBy(connection));
      if (applied.length === 0) await assertNoTables(connection, name);
      for (const statement of OTHER_TABLES) await sql.raw(statement).execute(connection.withoutPlugins());
      const missing = Object.keys(migrations).filter((migration) => !applied.includes(migration));
      if (missing.length === 0) return [];
      await applyMissing(name, connection, migrations);
      await sql.raw(`comment on table kysely_migration is 'version ${version()}'`).execute(connection);
      return missing;
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(MIGRATION_LOCK)})`.execute(connection).catch(() => {}); // it ends with the connection
    }
  });

/** The error of a server of the previous version that is restarted during an update of several servers. */
const newerError = (name: string, newer: readonly string[], by: string | null): SetupError =>
  new SetupError(
    `${by === null ? "A newer version" : `V${by.slice(1)}`} of Market Signal has migrated the database ${name} (${newer.join(", ")}), and this is version ${version()}: update this server. Running servers of the previous version continue until they are stopped`,
  );

/** Returns the version that applied the last migrations, such as `version 1.2.0`; null if it was not recorded. */
async function migratedBy(db: Kysely<Schema>): Promise<string | null> {
  const { rows } = await sql<{ by: string | null }>`
    select obj_description('kysely_migration'::regclass) as by`.execute(db);
  return rows[0]!.by;
}

async function assertUsable(db: Kysely<Schema>, name: string): Promise<void> {
  const { rows } = await sql<{ version: string; encoding: string }>`
    select current_setting('server_version') as version, current_setting('server_encoding') as encoding`.execute(
    db,
  );
  const { version, encoding } = rows[0]!;
  if (Number.parseInt(version, 10) < MIN_VERSION)
    throw new SetupError(
      `The server of the database ${name} is PostgreSQL ${version}; version ${MIN_VERSION} or later is required`,
    );
  if (encoding !== "UTF8")
    throw new SetupError(
      `The database ${name} has the encoding ${encoding}, and UTF8 is required; create one with: CREATE DATABASE market_signal ENCODING 'UTF8' TEMPLATE template0`,
    );
}

/** @throws SetupError if a database without migrations has tables, except those of extensions or of a start that failed */
async function assertNoTables(db: Kysely<Schema>, name: string): Promise<void> {
  const { rows } = await sql<{ table: string }>`
    select relname as table from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and relname not like 'kysely%' and relname not in (${sql.join(OTHER_TABLE_NAMES)}) and not exists (
        select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by relname collate "C"`.execute(db);
  if (rows.length === 0) return;
  const shown = rows.slice(0, SHOWN).map(({ table }) => table);
  const more = rows.length > SHOWN ? ` and ${rows.length - SHOWN} more` : "";
  throw new SetupError(
    `The database ${name} has tables that are not of Market Signal (${shown.join(", ")}${more}), and was left unchanged; create one of its own with createdb and name that one`,
  );
}

/** Returns the names of the migrations applied to a database, in their order; none for a new one. */
export async function appliedMigrations(db: Kysely<Schema>): Promise<readonly string[]> {
  const { rows } = await sql<{
    found: string | null;
  }>`select to_regclass('kysely_migration')::text as found`.execute(db);
  if (rows[0]!.found === null) return [];
  const recorded = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return recorded.rows.map((row) => row.name);
}
