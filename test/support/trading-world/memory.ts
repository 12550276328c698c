import Database from "better-sqlite3";
import { Kysely, Migrator, SqliteDialect } from "kysely";
import { MIGRATIONS } from "../../../src/store/migrations/index.ts";
import type { Schema } from "../../../src/store/schema.ts";

/** The tables of the product in memory, for as many worlds as like. */
export async function tablesInMemory(): Promise<Kysely<Schema>> {
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: new Database(":memory:") }) });
  const migrations = async () => ({ ...MIGRATIONS });
  const { error } = await new Migrator({ db, provider: { getMigrations: migrations } }).migrateToLatest();
  if (error !== undefined) throw error;
  return db;
}
