import { expect, it, onTestFinished } from "vitest";
import { openRateLimits } from "../../../src/store/accounts/windows.ts";
import { compareTables, copyRows, describeRows } from "../../../src/store/copy/copy.ts";
import { RowHash } from "../../../src/store/copy/side.ts";
import { openSqliteSource, openSqliteTarget } from "../../../src/store/copy/sqlite-side.ts";
import { copyToSqlite } from "../../../src/store/copy/to-sqlite.ts";
import { countersFile, mainFile } from "../../../src/store/files.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { Database } from "../../../src/store/sqlite/database.ts";
import { fillEveryTable } from "../../support/every-table.ts";
import { tempDir } from "../../support/temp-dir.ts";

const clock = { now: () => new Date() };

function sourceOf(dataDir: string) {
  const source = openSqliteSource({ file: mainFile(dataDir), counters: countersFile(dataDir) });
  onTestFinished(() => source.close());
  return source;
}

function inDatabase<T>(file: string, work: (db: Database) => T): T {
  const db = new Database(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

it("a copy has every row of every table, and continues its row numbers and daily quotas", async () => {
  const [from, to] = [tempDir(), tempDir()];
  const rows = await fillEveryTable(from);
  inDatabase(mainFile(from), (db) => {
    db.exec("UPDATE sqlite_sequence SET seq = 4100 WHERE name = 'signal_changes'");
    db.exec("DELETE FROM deliveries; UPDATE sqlite_sequence SET seq = 9 WHERE name = 'deliveries'");
  });
  const daily = { quota: 10, window: 86_400 };
  const counters = new Database(countersFile(from));
  const windows = openRateLimits(counters, clock);
  for (const [name, limit] of [["daily", daily] as const, ["burst", { quota: 10, window: 60 }] as const])
    await windows.take(name, limit, "ada");
  await windows.close();
  counters.close();

  const source = sourceOf(from);
  const copied = await copyToSqlite(source, to, null);
  expect(copied).toMatchObject({ copied: true, counters: 1, unstorable: [] });
  expect(copied.tables.reduce((sum, table) => sum + table.rows, 0)).toBe(rows - 7);
  expect(copied.sequences).toEqual([
    { table: "deliveries", last: 9, highest: 0 },
    { table: "jobs", last: 7, highest: 7 },
    { table: "signal_changes", last: 4100, highest: 7 },
  ]);
  const target = sourceOf(to);
  const compared = compareTables(await describeRows(source), await describeRows(target));
  expect(compared.filter(({ equal }) => !equal)).toEqual([]);
  expect(compared.filter(({ here }) => here?.rows === 0).map(({ table }) => table)).toEqual(["deliveries"]);
  await target.close();

  const store = await openStore({ dataDir: to, clock });
  onTestFinished(() => store.close());
  const limits = await store.openRateLimits();
  expect(await limits.usage("daily", daily, "ada")).toMatchObject({ remaining: 9 });
  await limits.close();
});

it("the hash of a table depends on its rows and not on their order", () => {
  const hashOf = (rows: (string | number | null)[][]) => {
    const hash = new RowHash();
    hash.add(rows);
    return hash.contents("notes").sha256;
  };
  const rows = [
    ["a", 1],
    ["b", null],
    ["b", Number.POSITIVE_INFINITY],
  ];
  expect(hashOf(rows)).toBe(hashOf(rows.toReversed()));
  expect(hashOf([["a", -0]])).toBe(hashOf([["a", 0]]));
  expect(
    new Set(
      [
        [["a", 1]],
        [["a", "1"]],
        [["a", null]],
        [["a", Number.POSITIVE_INFINITY]],
        [
          ["a", 1],
          ["a", 1],
        ],
        [],
      ].map(hashOf),
    ).size,
  ).toBe(6);
});

it("values that PostgreSQL cannot store are listed by table, key and column", async () => {
  const dir = tempDir();
  await fillEveryTable(dir, 2);
  expect(sourceOf(dir).unstorable()).toEqual([]);
  inDatabase(mainFile(dir), (db) => {
    db.exec("UPDATE watchlists SET name = 'a' || char(0) || 'b' WHERE rowid = 1");
    db.exec("UPDATE custom_agents SET definition = x'00' WHERE rowid = 2");
    db.exec("UPDATE agents SET next_at = 1.5 WHERE rowid = 1");
  });
  const text = (row: number) => expect.stringMatching(new RegExp(`^${row} `));
  expect(sourceOf(dir).unstorable()).toEqual([
    {
      table: "agents",
      key: { account: text(0), market: text(0), id: text(0) },
      column: "next_at",
      reason: "the value is not of the type INTEGER",
    },
    {
      table: "custom_agents",
      key: { account: text(1), market: text(1), name: text(1) },
      column: "definition",
      reason: "the value is not of the type TEXT",
    },
    {
      table: "watchlists",
      key: { account: text(0), market: text(0), name: "a\0b" },
      column: "name",
      reason: "the text has the character U+0000",
    },
  ]);
});

it("a target with rows is refused, and keeps them", async () => {
  const [from, to] = [tempDir(), tempDir()];
  await fillEveryTable(from, 2);
  await fillEveryTable(to, 1);
  const target = openSqliteTarget({ file: mainFile(to), counters: null });
  await expect(copyRows(sourceOf(from), target)).rejects.toThrow(
    /^The database .* is not empty: the tables .* have rows, which a copy never overwrites\. Create a new database/,
  );
  await target.close();
  expect((await describeRows(sourceOf(to))).every(({ rows }) => rows === 1)).toBe(true);
});

it("an interrupted copy leaves the target empty", async () => {
  const [from, to] = [tempDir(), tempDir()];
  await fillEveryTable(from, 2);
  await (await openStore({ dataDir: to, clock })).close();
  const target = openSqliteTarget({ file: mainFile(to), counters: null });
  const interrupt = ({ done, total }: { done: number; total: number }) => {
    if (done > total / 2) throw new Error("interrupted");
  };
  await expect(copyRows(sourceOf(from), target, interrupt)).rejects.toThrow(
    "nothing was written: interrupted",
  );
  await target.close();
  expect((await describeRows(sourceOf(to))).every(({ rows }) => rows === 0)).toBe(true);
});
