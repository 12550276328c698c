import { existsSync } from "node:fs";
import type { Sequence, UnstorableValue } from "../../domain/backups/database-copy.ts";
import { isLasting, openRateLimits } from "../accounts/windows.ts";
import { Database } from "../sqlite/database.ts";
import {
  BATCH,
  type CopySource,
  type CopyTable,
  type CopyTarget,
  type CounterRow,
  quoted,
  type Row,
} from "./side.ts";

interface Files {
  /** The main database, with all migrations. */
  readonly file: string;
  /** The database of the counters; null for a copy without them. */
  readonly counters: string | null;
  /** Name in messages. Default: the file. */
  readonly name?: string;
}

/** A source that lists values which PostgreSQL cannot store. */
export interface SqliteSource extends CopySource {
  /** Returns at most 100 values that PostgreSQL cannot store. */
  unstorable(): readonly UnstorableValue[];
}

const MAX_UNSTORABLE = 100;
/** Types of values that PostgreSQL stores in a column, by its declared type. */
const VALUE_TYPES: Readonly<Record<string, string>> = {
  TEXT: "'text', 'null'",
  INTEGER: "'integer', 'null'",
  BIGINT: "'integer', 'null'",
  "DOUBLE PRECISION": "'real', 'integer', 'null'",
};

/** Opens a SQLite database in a reading transaction. */
export function openSqliteSource(files: Files): SqliteSource {
  const db = new Database(files.file);
  db.exec("BEGIN");
  return { ...sourceOf(db, files), unstorable: () => unstorableIn(db) };
}

/** Opens a new SQLite database in a writing transaction, without a journal: the caller deletes it if the copy fails. */
export function openSqliteTarget(files: Files): CopyTarget {
  const db = new Database(files.file);
  db.exec(
    "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN EXCLUSIVE",
  );
  const inserts = new Map<string, ReturnType<Database["prepare"]>>();
  return {
    ...sourceOf(db, files),
    isPostgres: false,
    async insert({ name, columns }, rows) {
      const insert =
        inserts.get(name) ??
        db.prepare(
          `INSERT INTO ${quoted(name)} (${columns.map(quoted).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
        );
      inserts.set(name, insert);
      for (const row of rows) insert.run(...row);
    },
    async setSequence(table, last) {
      db.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(table);
      db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(table, last);
    },
    async setCounters(rows) {
      if (files.counters === null) return;
      const counters = new Database(files.counters);
      try {
        await openRateLimits(counters, { now: () => new Date() }).close(); // creates their table
        const insert = counters.prepare("INSERT OR REPLACE INTO windows (key, used, ends) VALUES (?, ?, ?)");
        counters.immediate(() => {
          for (const { key, used, ends } of rows) insert.run(key, used, ends);
        });
      } finally {
        counters.close();
      }
    },
    async commit() {
      db.exec("COMMIT");
    },
  };
}

function sourceOf(db: Database, { file, counters, name = file }: Files): CopySource {
  return {
    name,
    tables: tablesIn(db),
    async count(table) {
      return Number(
        db
          .prepare(`SELECT count(*) FROM ${quoted(table)}`)
          .pluck()
          .get(),
      );
    },
    async *rows({ name: table, columns }) {
      const select = db.prepare<Record<string, Row[number]>>(
        `SELECT ${columns.map(quoted).join(", ")} FROM ${quoted(table)}`,
      );
      let batch: Row[] = [];
      for (const row of select.iterate()) {
        batch.push(columns.map((column) => row[column]!));
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
    sequences: async () => sequencesIn(db),
    counters: async () => (counters === null ? [] : countersIn(counters)),
    async close() {
      db.close();
    },
  };
}

const tablesIn = (db: Database): readonly CopyTable[] =>
  (
    db
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'kysely\\_%' ESCAPE '\\' ORDER BY name",
      )
      .pluck()
      .all() as string[]
  ).map((name) => ({
    name,
    columns: (db.prepare("SELECT name FROM pragma_table_info(?)").pluck().all(name) as string[]).toSorted(),
  }));

const sequencesIn = (db: Database): readonly Sequence[] =>
  (
    db
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' ORDER BY name",
      )
      .pluck()
      .all() as string[]
  ).map((table) => ({
    table,
    last: Number(db.prepare("SELECT seq FROM sqlite_sequence WHERE name = ?").pluck().get(table) ?? 0),
    highest: Number(
      db
        .prepare(`SELECT max(rowid) FROM ${quoted(table)}`)
        .pluck()
        .get() ?? 0,
    ),
  }));

function countersIn(file: string): readonly CounterRow[] {
  if (!existsSync(file)) return [];
  const db = new Database(file, { readonly: true });
  try {
    if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'windows'").get() === undefined) return [];
    const rows = db.prepare<CounterRow>("SELECT key, used, ends FROM windows WHERE ends > ?").all(Date.now());
    return rows.filter(({ key }) => isLasting(key));
  } finally {
    db.close();
  }
}

/** Returns values that SQLite stores and PostgreSQL does not: of another type than the column, or text with U+0000. */
function unstorableIn(db: Database): readonly UnstorableValue[] {
  const found: UnstorableValue[] = [];
  for (const { name: table } of tablesIn(db)) {
    const columns = db
      .prepare<{ name: string; type: string; pk: number }>("SELECT name, type, pk FROM pragma_table_info(?)")
      .all(table);
    const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => quoted(name));
    const key = (keys.length > 0 ? keys : ["rowid"]).join(", ");
    const faults = columns.flatMap(({ name: column, type }) => faultsOf(column, type));
    const rowsWith = (condition: string, limit: number) =>
      db.prepare(`SELECT ${key} FROM ${quoted(table)} WHERE ${condition} LIMIT ?`).all(limit);
    // a table without such values is read once
    if (rowsWith(faults.map(({ condition }) => `(${condition})`).join(" OR "), 1).length === 0) continue;
    for (const { column, condition, reason } of faults)
      for (const row of rowsWith(condition, MAX_UNSTORABLE - found.length))
        found.push({ table, key: { ...row }, column, reason });
  }
  return found;
}

function faultsOf(column: string, type: string) {
  const of = quoted(column);
  const isOther = `typeof(${of}) NOT IN (${VALUE_TYPES[type]})`;
  return [
    { column, condition: isOther, reason: `the value is not of the type ${type}` },
    ...(type === "TEXT"
      ? [
          {
            column,
            condition: `typeof(${of}) = 'text' AND instr(${of}, char(0)) > 0`,
            reason: "the text has the character U+0000",
          },
        ]
      : []),
  ];
}
