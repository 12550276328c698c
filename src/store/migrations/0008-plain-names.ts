import { type Kysely, type Migration, sql } from "kysely";
import { isPostgres } from "../engine.ts";
import type { Table } from "../table.ts";
import { withPlainNames } from "./plain-names.ts";

/** New names of tables, by the names that earlier migrations gave them. */
export const TABLE_NAMES = {
  agent_keepers: "agent_schedulers",
  kept_bars: "cached_bars",
  kept_quotes: "cached_quotes",
  vendor_calls: "provider_calls",
} as const;

/** New names of columns, by the earlier names of their tables. */
export const COLUMN_NAMES = {
  contract_snapshots: { said: "json" },
  disagreements: { said: "json" },
  disclosure_sources: { told_at: "answered_at" },
  disclosures: { said: "json" },
  engine_ranks: { said: "json" },
  engine_rows: { said: "json" },
  flow_snapshots: { said: "json" },
  imported_positions: { told_at: "imported_at" },
  kept_bars: { said: "json" },
  kept_quotes: { said: "json" },
  odds_forecasts: { said: "json" },
  odds_records: { said: "json" },
  print_days: { said: "json" },
  put_call_days: { said: "json" },
  signal_changes: { said: "json" },
  signal_states: { looked_at: "evaluated_at" },
  track_records: { said: "json" },
  vendor_calls: { vendor: "provider" },
} as const;

type NewColumns<Columns, Names> = {
  readonly [C in keyof Columns as C extends keyof Names ? Names[C] & string : C]: Columns[C];
};

/** The tables of earlier migrations under their new names. */
export type WithPlainNames<Tables extends Readonly<Record<string, Table>>> = {
  readonly [T in keyof Tables as T extends keyof typeof TABLE_NAMES
    ? (typeof TABLE_NAMES)[T]
    : T]: T extends keyof typeof COLUMN_NAMES
    ? { readonly keys: string; readonly columns: NewColumns<Tables[T]["columns"], (typeof COLUMN_NAMES)[T]> }
    : Tables[T];
};

/** Indexes with the old names of their tables, and the statements that create them again. */
const INDEXES = {
  kept_bars_newest: "CREATE INDEX cached_bars_newest ON cached_bars (market, fetched_at)",
  kept_quotes_newest: "CREATE INDEX cached_quotes_newest ON cached_quotes (market, fetched_at)",
  vendor_calls_at: "CREATE INDEX provider_calls_at ON provider_calls (provider, at)",
};

/**
 * Columns of stored answers. Receipts and the audit log are not among them: their bytes are signed or chained, so they
 * keep their old names, and nothing reads those names.
 */
const ANSWERS = [
  ["a2a_tasks", "artifacts"],
  ["a2a_tasks", "status"],
  ["agent_runs", "decisions"],
  ["idempotency", "body"],
  ["trade_tickets", "shown"],
] as const;

/** Rows read at once; a stored response has up to some megabytes. */
const PAGE = 20;

/** Gives published fields, values, tables and columns the names of the first release. */
export const plainNames: Migration = {
  async up(db) {
    for (const [table, columns] of Object.entries(COLUMN_NAMES))
      for (const [before, after] of Object.entries(columns))
        await sql.raw(`ALTER TABLE ${table} RENAME COLUMN ${before} TO ${after}`).execute(db);
    for (const [before, after] of Object.entries(TABLE_NAMES))
      await sql.raw(`ALTER TABLE ${before} RENAME TO ${after}`).execute(db);
    for (const [index, statement] of Object.entries(INDEXES)) {
      await sql.raw(`DROP INDEX ${index}`).execute(db);
      await sql.raw(statement).execute(db);
    }
    await sql`UPDATE deliveries SET state = ${"stored"} WHERE state = ${"kept"}`.execute(db);
    if (isPostgres(db)) return; // which no earlier version wrote to
    for (const [table, column] of ANSWERS) await rename(db, table, column);
  },
};

async function rename(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  const [from, text] = [sql.table(table), sql.ref(column)];
  for (let last = 0; ; ) {
    const { rows } = await sql<{ row: number; text: string | null }>`
      SELECT rowid AS row, ${text} AS text FROM ${from} WHERE rowid > ${last} ORDER BY rowid LIMIT ${PAGE}`.execute(
      db,
    );
    for (const { row, text: before } of rows) {
      const after = before === null ? null : withPlainNames(before);
      if (after !== before) await sql`UPDATE ${from} SET ${text} = ${after} WHERE rowid = ${row}`.execute(db);
    }
    if (rows.length < PAGE) return;
    last = rows.at(-1)!.row;
  }
}
