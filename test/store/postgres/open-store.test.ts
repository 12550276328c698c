import { type Kysely, type Migration, sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { MIGRATIONS } from "../../../src/store/migrations/index.ts";
import { openPostgresStore, type PostgresStoreOptions } from "../../../src/store/postgres/open-store.ts";
import { listRows } from "../../../src/store/queries.ts";
import { collectingLog } from "../../support/context.ts";
import { createDatabase, onPostgres, POSTGRES_URL } from "../../support/postgres.ts";
import { addAccount, movingClock } from "../../support/store.ts";

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

  it("refuses the database of a newer version, and leaves it unchanged", async () => {
    const url = await newDatabase();
    await open(url, { migrations: { ...MIGRATIONS, "9000-notes": notes } });
    await expect(open(url)).rejects.toThrow(
      /was written by a newer version of Market Signal; run that version again$/,
    );
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

  it("says what to do when it cannot be used, without the password", async () => {
    const url = new URL(POSTGRES_URL!);
    const changed = (change: Partial<URL>) => Object.assign(new URL(url), change).href;
    await expect(open(changed({ password: "secret" }))).rejects.toThrow(
      `DATABASE_URL ${url.host}/postgres: it refuses the user or the password; correct them (28P01)`,
    );
    await expect(open(changed({ pathname: "/missing" }))).rejects.toThrow(
      `DATABASE_URL ${url.host}/missing: there is no such database; create it with createdb (3D000)`,
    );
    await expect(open(changed({ port: "1" }))).rejects.toThrow(
      `DATABASE_URL ${url.hostname}:1/postgres: it does not answer; start it, or correct the address (ECONNREFUSED)`,
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

  it("differs each time while other processes cannot be heard, and after that once", async () => {
    const url = await newDatabase();
    const { log, lines } = collectingLog();
    const { db, version } = await open(url, { log });
    const before = version();
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where query like 'LISTEN%' and datname = current_database()`.execute(db);
    await expect.poll(() => version()).toMatch(/^unheard/);
    expect(version()).not.toBe(version());
    await expect.poll(() => version()).not.toMatch(/^unheard/);
    expect(version()).toBe(version());
    expect(version()).not.toBe(before);
    expect(lines.map(({ event }) => event)).toContain("database_listener_lost");
  });
});

onPostgres.describe("a backup by the server", () => {
  it("is refused with the tool that writes one", async () => {
    const { upkeep } = await open(await newDatabase());
    await expect(upkeep.backUp(null)).rejects.toMatchObject({
      code: "REFUSED",
      hint: expect.stringContaining("pg_dump"),
    });
  });
});
