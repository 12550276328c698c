import { removeChecksum } from "../../src/store/checksum.ts";
import { mainFile } from "../../src/store/files.ts";
import { openStore } from "../../src/store/open-store.ts";
import { Database } from "../../src/store/sqlite/database.ts";

/** Texts and numbers that engines are known to store differently. */
const TEXTS = ["Ünïcödé – \u{1f4c8}\n\t\\ \"'{},", "", "a\u0001b", "NULL", "0012.50"];
const REALS = [0.1 + 0.2, -0, 5, 1e-310, Number.MAX_VALUE, Number.POSITIVE_INFINITY, -1.5];
const INTEGERS = [0, -1, 1_767_225_600_000, Number.MAX_SAFE_INTEGER, 1];

function valueIn(type: string, row: number, isNumberOfRow: boolean): string | number {
  if (type === "DOUBLE PRECISION") return REALS[row % REALS.length]!;
  if (type === "TEXT") return `${row} ${TEXTS[row % TEXTS.length]}`;
  return isNumberOfRow ? row + 1 : (INTEGERS[row] ?? row);
}

/**
 * Writes rows into every table of a new data folder; the rows of one number have the same text in all tables, so that
 * references hold. Default: 7 rows, and only nulls in the last one where a column allows it. Returns the number of rows.
 */
export async function fillEveryTable(dataDir: string, rows = 7): Promise<number> {
  const store = await openStore({ dataDir, clock: { now: () => new Date() } });
  await store.close();
  const db = new Database(mainFile(dataDir));
  let written = 0;
  db.exec("PRAGMA foreign_keys = OFF; BEGIN");
  for (const table of tablesOf(db)) {
    const columns = db
      .prepare<{ name: string; type: string; notnull: number; pk: number }>(
        'SELECT name, type, "notnull", pk FROM pragma_table_info(?)',
      )
      .all(table);
    const insert = db.prepare(`INSERT INTO "${table}" VALUES (${columns.map(() => "?").join(", ")})`);
    // a table of one row has a check of it
    for (let row = 0; row < (hasOneRow(db, table) ? 1 : rows); row++) {
      const isLast = row === rows - 1;
      insert.run(
        ...columns.map(({ type, notnull, pk }) =>
          isLast && notnull === 0 && pk === 0 ? null : valueIn(type, row, pk === 1),
        ),
      );
      written++;
    }
  }
  db.exec("COMMIT");
  db.close();
  removeChecksum(mainFile(dataDir)); // of the empty database
  return written;
}

const hasOneRow = (db: Database, table: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE name = ? AND sql LIKE '%CHECK%'").get(table) !== undefined;

/** Returns the names of the tables of the schema. */
export const tablesOf = (db: Database): readonly string[] =>
  db
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'kysely%' ORDER BY name",
    )
    .pluck()
    .all() as string[];
