import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createAccess } from "../../../src/access/access.ts";
import { PLAN_SCHEDULES } from "../../../src/access/plans.ts";
import { SetupError } from "../../../src/lib/setup-error.ts";
import { openKeyring } from "../../../src/store/accounts/keyring.ts";
import { INITIAL_SQL } from "../../../src/store/migrations/0001-initial.ts";
import { COLUMN_NAMES, TABLE_NAMES } from "../../../src/store/migrations/0008-plain-names.ts";
import { describeSchema } from "../../../src/store/migrations/describe-schema.ts";
import { MIGRATIONS } from "../../../src/store/migrations/index.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { Database } from "../../../src/store/sqlite/database.ts";
import { countingIds, stoppedClock } from "../../support/context.ts";
import { tempDir } from "../../support/temp-dir.ts";

const DUMP = readFileSync(new URL("./pre-release.sql", import.meta.url), "utf8");
/** The key that version 0.1.0 printed for the account in the dump. */
const KEY = "ms_live_WEzU9v4MShV9RAqQQOC1xkVW2JEDCQWL28FUD7";
const clock = stoppedClock(new Date("2026-01-16T15:00:00.000Z"));

const read = <T>(file: string, use: (raw: Database) => T): T => {
  const raw = new Database(file);
  try {
    return use(raw);
  } finally {
    raw.close();
  }
};

/** Writes the dump and applies `change` in a new data folder. */
function preReleaseFolder(change = "") {
  const dataDir = join(tempDir(), "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const file = join(dataDir, "market-signal.db");
  read(file, (raw) => raw.exec(`PRAGMA synchronous = OFF; BEGIN; ${DUMP}; COMMIT; ${change}`));
  return { dataDir, file };
}

const migrationsOf = (raw: Database) => raw.prepare("SELECT name FROM kysely_migration").pluck().all();

/** All rows of the tables of the first release; `nameOf` returns the present name of a table. */
const rowsOf = (raw: Database, nameOf = (table: string) => table) =>
  [...freshSchema().keys()].map((name) => {
    const table = nameOf(name);
    return [table, raw.prepare(`SELECT * FROM "${table}"`).all() as object[]] as const;
  });

type Names = Readonly<Record<string, string>>;
const newName = (table: string): string => (TABLE_NAMES as Names)[table] ?? table;

/** The same rows under the present names of their tables and columns. */
const renamed = (tables: ReturnType<typeof rowsOf>) =>
  tables.map(([table, rows]) => {
    const names: Names = (COLUMN_NAMES as Readonly<Record<string, Names>>)[table] ?? {};
    const columns = (row: object) => Object.entries(row).map(([name, value]) => [names[name] ?? name, value]);
    return [newName(table), rows.map((row) => Object.fromEntries(columns(row)))];
  });

/** One row for every table that has none, each column with a value of its type. */
const fillTables = (raw: Database): string =>
  rowsOf(raw)
    .filter(([, rows]) => rows.length === 0)
    .map(([table]) => {
      const columns = raw.pragma(`table_info("${table}")`) as { name: string; type: string }[];
      const values = columns.map(({ name, type }, i) => (type === "text" ? `'${name} of ${table}'` : i));
      return `INSERT INTO "${table}" VALUES (${values.join(", ")});`;
    })
    .join("\n");

const freshSchema = () =>
  read(":memory:", (raw) => {
    raw.exec(INITIAL_SQL.join(";"));
    return describeSchema(raw);
  });

describe("a pre-release database with all 34 migrations", () => {
  it("is recorded as 0001-initial after a backup and brought up to date, with every value unchanged", async () => {
    const { dataDir, file } = preReleaseFolder();
    read(file, (raw) => raw.exec(fillTables(raw)));
    const before = read(file, (raw) => rowsOf(raw));
    expect(before).toHaveLength(59);
    expect(before.filter(([, rows]) => rows.length !== 1)).toEqual([]);
    await (await openStore({ dataDir, clock })).close();
    // rows may have more columns
    expect(read(file, (raw) => rowsOf(raw, newName))).toMatchObject(renamed(before));
    expect(read(file, migrationsOf)).toEqual(Object.keys(MIGRATIONS));
    const [backup] = readdirSync(join(dataDir, "backups"));
    expect(backup).toBe("market-signal-0034-a2a-push-20260116T150000000Z.db");
    expect(read(join(dataDir, "backups", `${backup}`), migrationsOf)).toHaveLength(34);
  });

  it("has the schema of a new database", async () => {
    const { dataDir, file } = preReleaseFolder();
    await (await openStore({ dataDir, clock })).close();
    const created = await openStore({ dataDir: join(tempDir(), "new"), clock });
    await created.close();
    expect(read(file, describeSchema)).toEqual(read(created.file, describeSchema));
  });

  it("accepts its API key, and opens again without another backup", async () => {
    const { dataDir } = preReleaseFolder();
    for (let start = 0; start < 2; start++) {
      const store = await openStore({ dataDir, clock });
      const keyring = openKeyring(store.db);
      const access = createAccess({ keyring, clock, ids: countingIds(), schedule: PLAN_SCHEDULES.A });
      expect(await access.identify(KEY)).toMatchObject({ account: "owner" });
      await store.close();
    }
    expect(readdirSync(join(dataDir, "backups"))).toHaveLength(1);
  });
});

describe("another pre-release database is refused unchanged", () => {
  it.each([
    [
      "one of the 34 migrations missing",
      "DELETE FROM kysely_migration WHERE name = '0034-a2a-push'",
      "was written by an early pre-release (last migration 0033-paper-fills). Start Market Signal 0.1.0 from commit 23e8852 once",
    ],
    ["an index missing", "DROP INDEX agents_running", "its schema differs (agents)"],
    [
      "an index with another condition",
      "DROP INDEX agents_running; CREATE UNIQUE INDEX agents_running ON agents (account, market, agent) WHERE state = 'paused'",
      "its schema differs (agents)",
    ],
    ["a column more", "ALTER TABLE signals ADD COLUMN note text", "its schema differs (signals)"],
    ["a table more", "CREATE TABLE notes (id text)", "its schema differs (notes)"],
    ["a table less", "DROP TABLE receipts", "its schema differs (receipts)"],
    [
      "a trigger",
      "CREATE TRIGGER t AFTER INSERT ON keys BEGIN DELETE FROM keys; END",
      "its schema differs (t)",
    ],
    [
      "a column that may be null",
      "DROP TABLE vault_key; CREATE TABLE vault_key (one integer primary key, id text)",
      "its schema differs (vault_key)",
    ],
    [
      "another type",
      "DROP TABLE vendor_calls; CREATE TABLE vendor_calls (vendor text not null, at text not null); CREATE INDEX vendor_calls_at ON vendor_calls (vendor, at)",
      "its schema differs (vendor_calls)",
    ],
    [
      "another primary key",
      "DROP TABLE watchlists; CREATE TABLE watchlists (account text not null, market text not null, name text not null, symbols text not null, saved_at text not null, primary key (account, name, market))",
      "its schema differs (watchlists)",
    ],
    [
      "a migration of a newer version",
      "INSERT INTO kysely_migration VALUES ('9000-notes', 't')",
      "was written by a newer version of Market Signal",
    ],
  ])("with %s", async (_, change, message) => {
    const { dataDir, file } = preReleaseFolder(change);
    const content = (raw: Database) => ({
      migrations: migrationsOf(raw),
      schema: describeSchema(raw),
      keys: raw.prepare("SELECT * FROM keys").all(),
    });
    const before = read(file, content);
    const opening = openStore({ dataDir, clock });
    await expect(opening).rejects.toThrow(SetupError);
    await expect(opening).rejects.toThrow(message);
    expect(read(file, content)).toEqual(before);
    expect(readdirSync(dataDir)).not.toContain("backups");
  });
});
