import { type Kysely, type Migration, Migrator, sql } from "kysely";
import { SetupError } from "../../lib/setup-error.ts";
import type { Schema } from "../schema.ts";
import { WINDOW_TABLES } from "./windows.ts";

/** Key of the lock of the database under which one process at a time applies migrations. */
const MIGRATION_LOCK = 7_002;
/** Oldest supported server. */
const MIN_VERSION = 14;

/**
 * Applies all missing migrations or, on failure, none; processes that start at once wait for each other. `name`: the
 * database in messages. Returns true if something was applied. @throws SetupError when the server is too old, the
 * database has another encoding or a newer schema, or a migration fails
 */
export const migratePostgres = (
  db: Kysely<Schema>,
  migrations: Readonly<Record<string, Migration>>,
  name: string,
): Promise<boolean> =>
  db.connection().execute(async (connection) => {
    await assertUsable(connection, name);
    await sql`select pg_advisory_lock(${sql.lit(MIGRATION_LOCK)})`.execute(connection);
    try {
      const applied = await appliedMigrations(connection);
      if (applied.some((migration) => !(migration in migrations)))
        throw new SetupError(
          `The database ${name} was written by a newer version of Market Signal; run that version again`,
        );
      for (const statement of WINDOW_TABLES) await sql.raw(statement).execute(connection.withoutPlugins());
      if (Object.keys(migrations).every((migration) => applied.includes(migration))) return false;
      await applyMissing(connection, migrations, name);
      return true;
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(MIGRATION_LOCK)})`.execute(connection).catch(() => {}); // it ends with the connection
    }
  });

async function assertUsable(db: Kysely<Schema>, name: string): Promise<void> {
  const { rows } = await sql<{ version: string; encoding: string }>`
    select current_setting('server_version') as version, current_setting('server_encoding') as encoding`.execute(
    db,
  );
  const { version, encoding } = rows[0]!;
  if (Number.parseInt(version, 10) < MIN_VERSION)
    throw new SetupError(
      `DATABASE_URL: the server of ${name} is PostgreSQL ${version}; version ${MIN_VERSION} or later is required`,
    );
  if (encoding !== "UTF8")
    throw new SetupError(
      `DATABASE_URL: the database ${name} has the encoding ${encoding}; create one with: CREATE DATABASE market_signal ENCODING 'UTF8' TEMPLATE template0`,
    );
}

async function appliedMigrations(db: Kysely<Schema>): Promise<readonly string[]> {
  const { rows } = await sql<{
    found: string | null;
  }>`select to_regclass('kysely_migration')::text as found`.execute(db);
  if (rows[0]!.found === null) return [];
  const recorded = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return recorded.rows.map((row) => row.name);
}

async function applyMissing(
  db: Kysely<Schema>,
  migrations: Readonly<Record<string, Migration>>,
  name: string,
): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find(({ status }) => status === "Error")?.migrationName ?? "preparation";
  throw new SetupError(
    `The database ${name} could not be brought up to date (${failed}); it is unchanged and the previous version still runs with it`,
    { cause: error },
  );
}
