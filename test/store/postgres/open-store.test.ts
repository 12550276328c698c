import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Kysely, type Migration, sql } from "kysely";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { version } from "../../../src/lib/version.ts";
import { backupsIn } from "../../../src/store/backups/backup.ts";
import { openBackup } from "../../../src/store/backups/open-backup.ts";
import { MIGRATIONS } from "../../../src/store/migrations/index.ts";
import { openPostgresStore, type PostgresStoreOptions } from "../../../src/store/postgres/open-store.ts";
import { listRows } from "../../../src/store/queries.ts";
import { upkeepJobs } from "../../../src/store/upkeep/run-job.ts";
import { collectingLog } from "../../support/context.ts";
import { createDatabase, onPostgres, POSTGRES_URL } from "../../support/postgres.ts";
import { addAccount, movingClock } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";

const clock = movingClock();

async function open(url: string, options: Partial<PostgresStoreOptions> = {}) {
  const store = await openPostgresStore({ url, clock, ...options });
  onTestFinished(() => store.close());
  return store;
}
const newDatabase = () => createDatabase(POSTGRES_URL!);

const notes: Migration = {
  up: (db: Kysely<unknown>) => sql`CREATE TABLE notes (id TEXT PRIMARY KEY)`.execute(db).then(() => {}),
};

onPostgres.describe("opening a database of PostgreSQL", () => {
  it("applies every migration once, also when six processes start at once", async () => {
    const url = await newDatabase();
    const { log, lines } = collectingLog();
    const stores = await Promise.all(Array.from({ length: 6 }, () => open(url, { log })));
    await addAccount(stores[0]!.db);
    for (const { db } of stores) expect(await listRows(db, "accounts", {})).toHaveLength(1);
    expect(lines.map(({ event }) => event)).toEqual(["database_migrated"]);
  });

  it("refuses the database of a newer version by the name of that version, and leaves it unchanged", async () => {
    const url = await newDatabase();
    const { db } = await open(url, { migrations: { ...MIGRATIONS, "9000-notes": notes } });
    const { pathname } = new URL(url);
    await expect(open(url)).rejects.toThrow(
      `Version ${version()} of Market Signal has migrated the database ${new URL(url).host}${pathname} (9000-notes), and this is version ${version()}: update this server.`,
    );
    await sql`comment on table kysely_migration is null`.execute(db);
    await expect(open(url)).rejects.toThrow(/^A newer version of Market Signal has migrated the database/);
  });

  it("applies all migrations or none", async () => {
    const url = await newDatabase();
    await open(url);
    const failing: Migration = { up: () => Promise.reject(new Error("mistake")) };
    const newer = { ...MIGRATIONS, "9000-notes": notes, "9001-failing": failing };
    await expect(open(url, { migrations: newer })).rejects.toThrow(
      /could not be brought up to date \(9001-failing\)/,
    );
    const { db } = await open(url); // the previous version still runs with it
    const { rows } = await sql<{ found: string | null }>`select to_regclass('notes')::text as found`.execute(
      db,
    );
    expect(rows).toEqual([{ found: null }]);
  });

  it("says what to do when it cannot be opened, without the password", async () => {
    const url = new URL(POSTGRES_URL!);
    const changed = (change: Partial<URL>) => Object.assign(new URL(url), change).href;
    await expect(open(changed({ password: "secret" }))).rejects.toThrow(
      `The database ${url.host}/postgres cannot be opened: PostgreSQL refuses the user or the password; correct them (28P01)`,
    );
    await expect(open(changed({ password: "" }))).rejects.toThrow(
      "cannot be opened: PostgreSQL asks for a password, and the address has none; add it, or set PGPASSWORD",
    );
    await expect(open(changed({ pathname: "/missing" }))).rejects.toThrow(
      `The database ${url.host}/missing cannot be opened: it does not exist; create it with createdb (3D000)`,
    );
    await expect(open(changed({ port: "1" }))).rejects.toThrow(
      `The database ${url.hostname}:1/postgres cannot be opened: PostgreSQL does not answer; start it, or correct the address (ECONNREFUSED)`,
    );
    for (const [parameter, reason] of [
      [
        "sslmode=verify-full",
        "PostgreSQL does not offer TLS; turn it on, or remove sslmode from the address",
      ],
      ["sslmode=require", "PostgreSQL does not offer TLS; turn it on, or remove sslmode from the address"],
      ["sslrootcert=/no/such/file", "a file of the address cannot be read; correct its path (ENOENT)"],
      ["statement_timeout=soon", "PostgreSQL refuses a parameter of the address; correct it (22023)"],
      ["options=-c%20nonsense%3D1", "PostgreSQL refuses a parameter of the address; correct it (42704)"],
    ])
      await expect(open(changed({ search: `?${parameter}` }))).rejects.toThrow(
        `The database ${url.host}/postgres cannot be opened: ${reason}`,
      );
  });

  it("refuses one that accepts no writes, and one with tables of something else, and leaves it unchanged", async () => {
    const url = await newDatabase();
    const { host, pathname } = new URL(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query("CREATE TABLE orders (id INT)");
    await expect(open(url)).rejects.toThrow(
      `The database ${host}${pathname} has tables that are not of Market Signal (orders), and was left unchanged; create one of its own with createdb and name that one`,
    );
    const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    expect(rows).toEqual([{ tablename: "orders" }]);
    await client.query("DROP TABLE orders");
    await expect(open(`${url}?options=-c%20default_transaction_read_only%3Don`)).rejects.toThrow(
      `The database ${host}${pathname} cannot be opened: it accepts no writes`,
    );
  });
});

onPostgres.describe("the version of a database", () => {
  it("stays while nothing changes, and differs after each change by this process or another", async () => {
    const url = await newDatabase();
    const [here, there] = [await open(url), await open(url)];
    const before = here.version();
    await listRows(there.db, "accounts", {});
    expect(here.version()).toBe(before);
    await addAccount(here.db, "a");
    const own = here.version();
    expect(own).not.toBe(before);
    await there.db.transaction().execute((tx) => addAccount(tx, "b"));
    await expect.poll(() => here.version()).not.toBe(own);
  });

  it("differs each time while the listener is lost, and once after that", async () => {
    const url = await newDatabase();
    const { log, lines } = collectingLog();
    const { db, version } = await open(url, { log });
    const before = version();
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where query like 'LISTEN%' and datname = current_database()`.execute(db);
    await expect.poll(() => version()).toMatch(/^unknown/);
    expect(version()).not.toBe(version());
    await expect.poll(() => version()).not.toMatch(/^unknown/);
    expect(version()).toBe(version());
    expect(version()).not.toBe(before);
    expect(lines.map(({ event }) => event)).toContain("database_listener_lost");
  });
});

onPostgres.describe("backups by the server", () => {
  it("are written as those of SQLite when one is due, and when one is requested", async () => {
    const dataDir = tempDir();
    const file = join(dataDir, "postgres.txt");
    writeFileSync(file, "");
    const schedule = { everyMs: 1, keep: 1 };
    const { db, upkeep } = await open(await newDatabase(), {
      clock: { now: () => new Date(Date.now() + 1_000) },
      backups: { file, dataDir, hook: null, schedule, jobs: upkeepJobs },
    });
    await addAccount(db, "ada");
    await upkeep.run();
    const [scheduled] = backupsIn(dataDir);
    expect(openBackup(scheduled!).manifest.tables.accounts?.rows).toBe(1);
    await addAccount(db, "bob");
    const done = await upkeep.backUp(null);
    expect(done).toMatchObject({
      hook: null,
      result: { written: { manifest: { tables: { accounts: { rows: 2 } } } } },
    });
    expect(readdirSync(dataDir).toSorted()).toEqual(["backups", "postgres.txt"]);
  });

  it("say why none could be written", async () => {
    const [dataDir, server] = [tempDir(), new URL(await newDatabase())];
    const file = join(dataDir, "postgres.txt");
    writeFileSync(file, "");
    writeFileSync(join(dataDir, "backups"), "");
    const { upkeep } = await open(server.href, {
      backups: { file, dataDir, hook: null, schedule: { everyMs: null, keep: 1 }, jobs: upkeepJobs },
    });
    expect((await upkeep.backUp(null))?.result).toEqual({
      failure: expect.stringMatching(/^Backups cannot be written: .*backups is a file/),
      noRoom: false,
    });
  });
});
