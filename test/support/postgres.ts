import { Kysely, sql } from "kysely";
import pg from "pg";
import { describe, it } from "vitest";
import { isPostgres } from "../../src/store/engine.ts";
import { MIGRATIONS } from "../../src/store/migrations/index.ts";
import { forPostgres } from "../../src/store/postgres/ddl.ts";
import { postgresDialect } from "../../src/store/postgres/dialect.ts";
import { migratePostgres } from "../../src/store/postgres/migrate.ts";
import { openPool } from "../../src/store/postgres/pool.ts";
import type { Schema } from "../../src/store/schema.ts";

/**
 * Address of a PostgreSQL database whose user may create the databases of the tests: DATABASE_URL, which vitest.config.ts
 * moves to TEST_DATABASE_URL. Null: the tests run on SQLite.
 */
export const POSTGRES_URL = process.env.TEST_DATABASE_URL || null;

/** Tests of SQLite itself; their titles or comments state the reason. */
export const onSqlite = {
  describe: describe.skipIf(POSTGRES_URL !== null),
  it: it.skipIf(POSTGRES_URL !== null),
};
/** Tests of PostgreSQL itself. */
export const onPostgres = {
  describe: describe.skipIf(POSTGRES_URL === null),
  it: it.skipIf(POSTGRES_URL === null),
};

export interface TestDatabase {
  readonly db: Kysely<Schema>;
  readonly url: string;
  /** Ends the use; the next test may take the database. */
  release(): Promise<void>;
}

/** Returns the tables of a database of PostgreSQL that contain a text. */
export async function tablesWith(db: Kysely<Schema>, text: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`.execute(db);
  const found: string[] = [];
  for (const { name } of rows) {
    const { rows: with_ } = await sql`
      SELECT 1 FROM ${sql.table(name)} AS t WHERE position(${text} IN t::text) > 0 LIMIT 1`.execute(db);
    if (with_.length > 0) found.push(name);
  }
  return found;
}

interface OpenDatabase extends Pick<TestDatabase, "db" | "url"> {
  readonly client: pg.Pool;
  readonly tables: number;
}

/** Databases of this worker that no test uses. */
const free: OpenDatabase[] = [];
let created = 0;

/** How the names of the databases of this run begin. */
export const DATABASES = `ms_test_${process.env.TEST_RUN}_`;

/** Creates an empty database without tables; returns its address. */
export async function createDatabase(server: string): Promise<string> {
  const name = `${DATABASES}${process.pid}_${process.env.VITEST_POOL_ID ?? 0}_${created++}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

const monitor = { fault: () => null, full() {}, damaged() {}, wrote() {} };

async function open(server: string): Promise<OpenDatabase> {
  const url = await createDatabase(server);
  const pool = openPool(url, { max: 6 });
  const dialect = postgresDialect({ pool, monitor });
  await migratePostgres(new Kysely<Schema>({ dialect, plugins: [forPostgres] }), MIGRATIONS, "of the tests");
  return { db: new Kysely<Schema>({ dialect }), url, client: pool, tables: await countTables(pool) };
}

async function countTables(client: pg.Pool): Promise<number> {
  const { rows } = await client.query("SELECT count(*) AS tables FROM pg_tables WHERE schemaname = 'public'");
  return (rows as [{ tables: number }])[0].tables;
}

/** Deletes every row, without asking what refers to it, and starts the numbers of rows anew. */
const EMPTY = `
  BEGIN; SET LOCAL session_replication_role = replica;
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'kysely%' LOOP
      EXECUTE format('DELETE FROM %I', name);
    END LOOP;
    FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'public' LOOP
      PERFORM setval(quote_ident(name)::regclass, 1, false);
    END LOOP;
  END $$; COMMIT`;

/** Takes an empty database with every table: creating one for each test would take longer than the tests. */
export async function takeDatabase(server: string): Promise<TestDatabase> {
  const last = free.pop();
  // a test may have dropped a table
  const isIntact = last !== undefined && (await countTables(last.client)) === last.tables;
  const taken = isIntact ? last : await open(server);
  await taken.client.query(EMPTY);
  return { db: taken.db, url: taken.url, release: async () => void free.push(taken) };
}

/** Runs a statement before each insert into a table of SQLite or PostgreSQL, until it is ended. */
export async function onEachInsert(db: Kysely<Schema>, table: keyof Schema, statement: string) {
  const name = `before_${table}`;
  const onInsert = `CREATE TRIGGER ${name} BEFORE INSERT ON ${table}`;
  const ofPostgres = isPostgres(db);
  await sql
    .raw(
      ofPostgres
        ? `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement} RETURN NEW; END $$;
           ${onInsert} FOR EACH ROW EXECUTE FUNCTION ${name}()`
        : `${onInsert} BEGIN ${statement} END`,
    )
    .execute(db);
  return {
    end: async () => {
      await sql.raw(ofPostgres ? `DROP FUNCTION ${name} CASCADE` : `DROP TRIGGER ${name}`).execute(db);
    },
  };
}
