import type { Database } from "../sqlite/database.ts";

/** Tables of the migration library and of SQLite itself. */
const INTERNAL = /^(kysely|sqlite)_/;

/**
 * Describes tables, columns, keys, indexes, views and triggers by table name. Two databases with equal descriptions
 * behave alike, even when ALTER TABLE left a different spelling of the same table.
 */
export function describeSchema(raw: Database): ReadonlyMap<string, string> {
  const objects = raw.prepare("SELECT type, name, sql FROM sqlite_master WHERE type <> 'index'").all();
  return new Map(
    (objects as { type: string; name: string; sql: string }[])
      .filter(({ name }) => !INTERNAL.test(name))
      .map(({ type, name, sql }) => [
        name,
        type === "table" ? JSON.stringify(describeTable(raw, name, sql)) : normalize(sql),
      ]),
  );
}

function describeTable(raw: Database, table: string, sql: string): unknown {
  const pragma = (name: string, of: string) => raw.pragma(`${name}("${of}")`) as Record<string, unknown>[];
  const indexes = pragma("index_list", table).map(({ name, unique, origin, partial }) => ({
    // SQLite generates the names of constraint indexes, so they are ignored.
    name: origin === "c" ? name : null,
    unique,
    origin,
    where: partial === 1 ? conditionOf(raw, String(name)) : null,
    columns: pragma("index_xinfo", String(name)).map(({ name: column, desc, coll, key }) => [
      column,
      desc,
      coll,
      key,
    ]),
  }));
  return {
    columns: pragma("table_xinfo", table).map(({ type, ...column }) => ({
      ...column,
      type: String(type).toLowerCase(),
    })),
    autoincrement: /\bautoincrement\b/i.test(sql),
    references: pragma("foreign_key_list", table),
    indexes: indexes.map((index) => JSON.stringify(index)).sort(),
  };
}

function conditionOf(raw: Database, index: string): string {
  const sql = raw.prepare("SELECT sql FROM sqlite_master WHERE name = ?").pluck().get(index) as string;
  return normalize(sql).replace(/^.*? where /, "");
}

const normalize = (sql: string): string => sql.toLowerCase().replaceAll('"', "").replaceAll(/\s+/g, " ");
