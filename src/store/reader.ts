import { Kysely, SqliteDialect, type SqliteStatement } from "kysely";
import type { Schema } from "./schema.ts";
import { Database } from "./sqlite/database.ts";

/** Opens the database of a running store on a connection of its own that only reads. */
export function openReader(file: string): Kysely<Schema> {
  const raw = new Database(file, { readonly: true });
  const prepare = (sql: string): SqliteStatement => {
    const { reader, all, run, iterate } = raw.prepare(sql);
    return {
      reader,
      all: (values) => all(...values),
      run: (values) => run(...values),
      iterate: (values) => iterate(...values),
    };
  };
  return new Kysely({ dialect: new SqliteDialect({ database: { prepare, close: () => raw.close() } }) });
}
