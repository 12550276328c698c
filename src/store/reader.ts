import Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import type { Schema } from "./schema.ts";

/** Opens the database of a running store on a connection of its own that only reads. */
export const openReader = (file: string): Kysely<Schema> =>
  new Kysely({ dialect: new SqliteDialect({ database: new Database(file, { readonly: true }) }) });
