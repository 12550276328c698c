import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";

/** A database or a transaction, whatever its tables. */
type AnyDb = Pick<Kysely<unknown>, "getExecutor">;

/** Returns true for a database of PostgreSQL, false for one of SQLite. */
export const isPostgres = (db: AnyDb): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/** Returns the column that identifies a row of any table within one statement, and a value before the first row. */
export const rowIdOf = (db: AnyDb) =>
  isPostgres(db) ? ({ column: "ctid", first: "(0,0)" } as const) : ({ column: "rowid", first: 0 } as const);

/** Returns a text, number or boolean field of a column with JSON, as text; null for null or a missing field. */
export const jsonText = (db: AnyDb, column: string, field: string): RawBuilder<string | null> =>
  isPostgres(db)
    ? // not a cast: a row that is not JSON would fail the whole statement, and IS JSON needs PostgreSQL 16
      sql`nullif(substring(${sql.ref(column)} from ${`"${field}":"?([^",}]*)`}), 'null')`
    : sql`case when json_valid(${sql.ref(column)}) then cast(json_extract(${sql.ref(column)}, ${`$.${field}`}) as text) end`;
