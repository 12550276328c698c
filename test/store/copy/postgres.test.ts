import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../../src/app/config.ts";
import { databaseAdmin } from "../../../src/app/database-command.ts";
import { mainFile } from "../../../src/store/files.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { openPostgresStore } from "../../../src/store/postgres/open-store.ts";
import { insertRows, listRows } from "../../../src/store/queries.ts";
import { Database } from "../../../src/store/sqlite/database.ts";
import { fillEveryTable, tablesOf } from "../../support/every-table.ts";
import { createDatabase, onPostgres, POSTGRES_URL } from "../../support/postgres.ts";
import { tempDir } from "../../support/temp-dir.ts";

const clock = { now: () => new Date() };
const newDatabase = () => createDatabase(POSTGRES_URL!);
const adminOf = (DATA_DIR: string, DATABASE_URL?: string) =>
  databaseAdmin(readConfig({ DATA_DIR, LOG_LEVEL: "silent", ...(DATABASE_URL && { DATABASE_URL }) }));

async function rowsIn(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'kysely%'",
  );
  let count = 0;
  for (const { name } of rows)
    count += Number((await client.query(`SELECT count(*) FROM "${name}"`)).rows[0].count);
  await client.end();
  return count;
}

onPostgres.describe("db copy", () => {
  it("copies every table to PostgreSQL and back, equal by hash, and continues row numbers", async () => {
    const [dataDir, url] = [tempDir(), await newDatabase()];
    const rows = await fillEveryTable(dataDir);
    const here = new Database(mainFile(dataDir));
    here.exec("UPDATE sqlite_sequence SET seq = 4100 WHERE name = 'signal_changes'");
    here.close();

    const steps: number[] = [];
    const away = await adminOf(dataDir).copy({ to: url, progress: ({ done }) => void steps.push(done) });
    expect(away).toMatchObject({ copied: true, unstorable: [] });
    expect(away.tables.reduce((sum, table) => sum + table.rows, 0)).toBe(rows);
    expect(steps.at(-1)).toBe(rows);
    expect(away.sequences).toEqual([
      { table: "deliveries", last: 7, highest: 7 },
      { table: "jobs", last: 7, highest: 7 },
      { table: "signal_changes", last: 4100, highest: 7 },
    ]);
    const compared = (await adminOf(dataDir, url).check({ against: "sqlite" })).against!;
    expect(compared.tables.filter(({ equal }) => !equal)).toEqual([]);
    // postgres.txt of the folder now names its database
    await expect(adminOf(dataDir).migrate()).rejects.toThrow("The data of this folder is in PostgreSQL");

    const store = await openPostgresStore({ url, clock });
    const [row] = await listRows(store.db, "signal_changes", {}, { order: ["seq"] });
    const { seq: _, ...next } = row!;
    await insertRows(store.db, "signal_changes", [{ ...next, id: "next", decided_at: "later" } as never]);
    const numbers = await listRows(store.db, "signal_changes", {}, { order: ["seq desc"], limit: 1 });
    expect(numbers[0]!.seq).toBe(4101);
    await store.close();

    await expect(adminOf(dataDir, url).copy({ to: "sqlite" })).rejects.toThrow(
      "The data folder already has a SQLite database",
    );
    const empty = join(tempDir(), "data");
    mkdirSync(empty, { mode: 0o700 });
    // of a database that was moved away without it
    writeFileSync(`${mainFile(empty)}.sha256`, "");
    await expect(adminOf(empty, url).copy({ to: "sqlite" })).rejects.toThrow(
      /or files of one, which a copy never overwrites: market-signal\.db\.sha256\. To move them away, run: mkdir \S+ && mv /,
    );
    rmSync(`${mainFile(empty)}.sha256`);
    const back = await adminOf(empty, url).copy({ to: "sqlite" });
    expect(back.tables.reduce((sum, table) => sum + table.rows, 0)).toBe(rows + 1);
    const both = (await adminOf(empty, url).check({ against: "sqlite" })).against!;
    expect(both.tables.filter(({ equal }) => !equal)).toEqual([]);
    expect(back.sequences).toContainEqual({ table: "signal_changes", last: 4101, highest: 4101 });
    expect(existsSync(join(empty, "postgres.txt"))).toBe(false);
    expect(readdirSync(empty).filter((name) => name.startsWith("copy-"))).toEqual([]);
    expect(tablesOf(new Database(mainFile(empty))).length).toBe(back.tables.length);
  });

  it("writes nothing into a database with rows, after an interrupt, or of values that cannot be stored", async () => {
    const [dataDir, url] = [tempDir(), await newDatabase()];
    const rows = await fillEveryTable(dataDir, 3);
    const interrupt = ({ done, total = 0 }: { done: number; total?: number }) => {
      if (done > total / 2) throw new Error("interrupted");
    };
    await expect(adminOf(dataDir).copy({ to: url, progress: interrupt })).rejects.toThrow(
      /^The table \w+ could not be copied, and nothing was written: interrupted$/,
    );
    expect(await rowsIn(url)).toBe(0);

    const db = new Database(mainFile(dataDir));
    db.exec("UPDATE watchlists SET name = 'a' || char(0) || 'b' WHERE rowid = 1");
    const refused = await adminOf(dataDir).copy({ to: url });
    expect(refused).toMatchObject({ copied: false, tables: [] });
    expect(refused.unstorable).toMatchObject([
      { table: "watchlists", column: "name", reason: "the text has the character U+0000" },
    ]);
    expect(await rowsIn(url)).toBe(0);
    db.exec("UPDATE watchlists SET name = 'ab' WHERE rowid = 1");
    db.close();

    expect(await adminOf(dataDir).copy({ to: url })).toMatchObject({ copied: true });
    await expect(adminOf(dataDir).copy({ to: url })).rejects.toThrow(
      / is not empty: the tables .* have rows/,
    );
    expect(await rowsIn(url)).toBe(rows);
  });

  it("is refused while a server uses the source or the target", async () => {
    const [dataDir, url] = [tempDir(), await newDatabase()];
    await fillEveryTable(dataDir, 1);
    const store = await openPostgresStore({ url: `${url}?application_name=other`, clock });
    onTestFinished(() => store.close());
    await listRows(store.db, "accounts", {});
    const empty = join(tempDir(), "data");
    await expect(adminOf(empty, url).copy({ to: "sqlite" })).rejects.toThrow(
      /^A server or command is using the database .*; stop every server on it/,
    );
    expect(existsSync(mainFile(empty))).toBe(false);

    const server = await openStore({ dataDir, clock });
    onTestFinished(() => server.close());
    await expect(adminOf(dataDir).copy({ to: url })).rejects.toThrow(
      /^A server or command is using .*; stop it, then run the command again/,
    );
  });
});

onPostgres.describe("an address", () => {
  it("of the same database in other words, of none, or of another kind is refused without its password", async () => {
    const url = await newDatabase();
    await adminOf(tempDir(), url).migrate();
    const same = `${url}?connect_timeout=9`;
    await expect(adminOf(tempDir(), url).copy({ to: same })).rejects.toThrow(
      "--to names the database of DATABASE_URL itself; name another one",
    );
    const missing = `${url}_none`;
    const { host, pathname } = new URL(missing);
    await expect(adminOf(tempDir(), url).check({ against: missing })).rejects.toThrow(
      `The database ${host}${pathname} cannot be opened: it does not exist; create it with createdb (3D000)`,
    );
    const other = adminOf(tempDir(), url).copy({ to: "mysql://ada:password1@db/signals" });
    await expect(other).rejects.toThrow(/^The address is not a database: use an address such as postgres:/);
    await expect(other).rejects.not.toThrow("password1");
  });
});

onPostgres.describe("db migrate", () => {
  it("applies every migration to a new database, and none the next time", async () => {
    const [dataDir, url] = [tempDir(), await newDatabase()];
    const first = await adminOf(dataDir, url).migrate();
    expect(first.applied.at(0)).toBe("0001-initial");
    expect(first.applied.at(-1)).toBe(first.data_version);
    expect((await adminOf(dataDir, url).migrate()).applied).toEqual([]);
    const checked = await adminOf(dataDir, url).check({});
    expect(checked).toMatchObject({ ok: true, damage: null, sequences_behind: [], audit: { ok: true } });
  });
});
