import type { CopyReport, TableComparison, TableContents } from "../../domain/backups/database-copy.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { type CopySource, type CopyTarget, describeTable, RowHash } from "./side.ts";
import type { SqliteSource } from "./sqlite-side.ts";

/** Number of rows copied so far, and of all rows. */
interface CopyProgress {
  readonly done: number;
  readonly total: number;
  readonly message: string;
}

type CopiedRows = Pick<CopyReport, "copied" | "tables" | "sequences" | "counters" | "unstorable">;

/**
 * Copies all rows into an empty database in one transaction, compares the hash of every table with that of the source, and
 * continues sequences and daily quotas. Nothing is written if a value cannot be stored or the copy fails. @throws
 * SetupError if the target is not empty, or a table differs
 */
export async function copyRows(
  source: CopySource | SqliteSource,
  target: CopyTarget,
  onProgress: (progress: CopyProgress) => void = () => {},
): Promise<CopiedRows> {
  await assertEmpty(target);
  const unstorable = target.isPostgres && "unstorable" in source ? source.unstorable() : [];
  if (unstorable.length > 0) return { copied: false, tables: [], sequences: [], counters: 0, unstorable };
  const total = await countAll(source);
  const tables: TableContents[] = [];
  let done = 0;
  for (const table of target.tables) {
    const { name } = table;
    const read = new RowHash();
    try {
      for await (const rows of source.rows(table)) {
        read.add(rows);
        await target.insert(table, rows);
        done += rows.length;
        onProgress({ done, total, message: name });
      }
    } catch (cause) {
      throw new SetupError(
        `The table ${name} could not be copied, and nothing was written: ${cause instanceof Error ? cause.message : cause}`,
        { cause },
      );
    }
    const contents = read.contents(name);
    if ((await describeTable(target, table)).sha256 !== contents.sha256)
      throw new SetupError(
        `The rows of the table ${name} differ in the copy, so nothing was copied; check ${source.name} for damage`,
      );
    tables.push(contents);
  }
  if (done !== total)
    throw new SetupError(
      `${source.name} has ${total} rows and ${done} were found in the tables of ${target.name}, so nothing was copied: both need the same version`,
    );
  for (const { table, last, highest } of await source.sequences())
    await target.setSequence(table, Math.max(last, highest));
  const sequences = await target.sequences();
  const counters = await source.counters();
  await target.setCounters(counters);
  await target.commit();
  return { copied: true, tables, sequences, counters: counters.length, unstorable: [] };
}

/** Counts and hashes every table. */
export async function describeRows(
  source: CopySource,
  onTable: (name: string) => void = () => {},
): Promise<readonly TableContents[]> {
  const found: TableContents[] = [];
  for (const table of source.tables.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    onTable(table.name);
    found.push(await describeTable(source, table));
  }
  return found;
}

/** Compares the tables of two databases by name. */
export function compareTables(
  here: readonly TableContents[],
  there: readonly TableContents[],
): readonly TableComparison[] {
  const [a, b] = [here, there].map((tables) => new Map(tables.map((one) => [one.table, one])));
  return [...new Set([...a!.keys(), ...b!.keys()])].toSorted().map((table) => {
    const [left, right] = [a!.get(table) ?? null, b!.get(table) ?? null];
    return {
      table,
      equal: left?.rows === right?.rows && left?.sha256 === right?.sha256,
      here: left,
      there: right,
    };
  });
}

async function countAll({ tables, count }: CopySource): Promise<number> {
  let rows = 0;
  for (const { name } of tables) rows += await count(name);
  return rows;
}

/** @throws SetupError if a table has rows */
export async function assertEmpty(target: CopySource): Promise<void> {
  const filled: string[] = [];
  for (const { name } of target.tables) if ((await target.count(name)) > 0) filled.push(name);
  if (filled.length === 0) return;
  const shown = `${filled.slice(0, 3).join(", ")}${filled.length > 3 ? ` and ${filled.length - 3} more` : ""}`;
  throw new SetupError(
    `The database ${target.name} is not empty: ${filled.length === 1 ? "the table" : "the tables"} ${shown} ${filled.length === 1 ? "has" : "have"} rows, which a copy never overwrites. Create a new database with createdb and use its address`,
  );
}
