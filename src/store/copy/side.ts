import { createHash } from "node:crypto";
import type { Sequence, TableContents } from "../../domain/backups/database-copy.ts";

export type Row = readonly (string | number | null)[];

export interface CopyTable {
  readonly name: string;
  /** Names of the columns, sorted, in the order of the values of a row. */
  readonly columns: readonly string[];
}

/** Number of calls counted in a quota window; `ends`: epoch ms. */
export interface CounterRow {
  readonly key: string;
  readonly used: number;
  readonly ends: number;
}

/** One database of a copy or a comparison, in one transaction. */
export interface CopySource {
  /** Name in messages. */
  readonly name: string;
  /** Tables, each after those that it refers to. */
  readonly tables: readonly CopyTable[];
  count(table: string): Promise<number>;
  /** Returns all rows of a table, a batch at a time. */
  rows(table: CopyTable): AsyncIterable<readonly Row[]>;
  sequences(): Promise<readonly Sequence[]>;
  /** Returns the running quota windows of more than an hour. */
  counters(): Promise<readonly CounterRow[]>;
  /** Closes the database; what was written and not committed is rolled back. */
  close(): Promise<void>;
}

export interface CopyTarget extends CopySource {
  readonly isPostgres: boolean;
  insert(table: CopyTable, rows: readonly Row[]): Promise<void>;
  /** Sets the sequence of a table, so that its next row gets a number above `last`. */
  setSequence(table: string, last: number): Promise<void>;
  setCounters(rows: readonly CounterRow[]): Promise<void>;
  commit(): Promise<void>;
}

/** Number of rows of a batch. */
export const BATCH = 1_000;

/** Number of 32-bit words of a SHA-256 hash. */
const WORDS = 8;

/** Hash of the rows of a table: the sum of the hashes of the rows, so that their order does not matter. */
export class RowHash {
  readonly #sum = new Uint32Array(WORDS);
  #rows = 0;

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      const digest = createHash("sha256")
        .update(JSON.stringify(row.map(canonical)))
        .digest();
      for (let word = 0; word < WORDS; word++) this.#sum[word]! += digest.readUInt32LE(word * 4);
    }
    this.#rows += rows.length;
  }

  contents(table: string): TableContents {
    return { table, rows: this.#rows, sha256: Buffer.from(this.#sum.buffer).toString("hex") };
  }
}

/** Returns a value as it is hashed: JSON has no infinite numbers. */
const canonical = (value: Row[number]): Row[number] =>
  typeof value === "number" && !Number.isFinite(value) ? `number ${value}` : value;

/** Counts and hashes the rows of a table. */
export async function describeTable(source: CopySource, table: CopyTable): Promise<TableContents> {
  const hash = new RowHash();
  for await (const rows of source.rows(table)) hash.add(rows);
  return hash.contents(table.name);
}

export const quoted = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`;
