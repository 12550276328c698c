import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/app/config.ts";
import { assertDatabaseUnused, noteDatabaseOf, openDatabase } from "../../src/app/open-database.ts";
import type { Tracer } from "../../src/domain/tracing-port.ts";
import { storeTransaction } from "../../src/store/transactions.ts";
import { collectingLog } from "../support/context.ts";
import { createDatabase, onPostgres, POSTGRES_URL } from "../support/postgres.ts";
import { movingClock } from "../support/store.ts";
import { tempDir } from "../support/temp-dir.ts";

async function open(env: Record<string, string>, tracer?: Tracer) {
  const { log, lines } = collectingLog();
  const store = await openDatabase(readConfig(env), { clock: movingClock(), log, tracer });
  onTestFinished(() => store.close());
  return { store, events: lines.map(({ event }) => event) };
}

it("a data folder without DATABASE_URL has a database of SQLite", async () => {
  const DATA_DIR = join(tempDir(), "data");
  const { store } = await open({ DATA_DIR });
  expect(store.file).toBe(join(DATA_DIR, "market-signal.db"));
});

it("a data folder whose data is in PostgreSQL is refused without DATABASE_URL", async () => {
  const DATA_DIR = tempDir();
  const note = join(DATA_DIR, "postgres.txt");
  writeFileSync(note, "db.example.com:5432/signals\n");
  await expect(open({ DATA_DIR })).rejects.toThrow(
    `The data of this folder is in PostgreSQL, db.example.com:5432/signals: set DATABASE_URL. To copy the data back, run \`market-signal db copy --to sqlite\` with DATABASE_URL. To use SQLite without that data, delete ${note}`,
  );
});

it.each([
  "db.example.com",
  "mysql://db/signals",
  "postgres://db",
  "postgres://db/",
  "postgres://u:pass#word@db/signals",
  "postgres://u:1/word@db",
])("%s is refused as DATABASE_URL", (DATABASE_URL) => {
  expect(() => readConfig({ DATABASE_URL })).toThrow(
    "DATABASE_URL: must be an address such as postgres://user:password@host:5432/market_signal",
  );
});

it("an address may have parameters with a path", () => {
  const DATABASE_URL = "postgres://u:a%23@db/signals?sslmode=verify-full&sslrootcert=/etc/ca.pem";
  expect(readConfig({ DATABASE_URL })).toMatchObject({ DATABASE_URL });
});

onPostgres.it(
  "DATABASE_URL names the database, and the folder remembers which one without its password",
  async () => {
    const DATA_DIR = join(tempDir(), "data");
    const DATABASE_URL = await createDatabase(POSTGRES_URL!);
    const { store, events } = await open({ DATA_DIR, DATABASE_URL });
    expect(store.file).toBeNull();
    expect(events).toEqual(["database_migrated"]);
    const { host, pathname } = new URL(DATABASE_URL);
    expect(readFileSync(join(DATA_DIR, "postgres.txt"), "utf8")).toBe(`${host}${pathname}\n`);
  },
);

onPostgres.it(
  "a database of SQLite in the folder is not used beside DATABASE_URL, and only a server takes it out of use",
  async () => {
    const DATA_DIR = join(tempDir(), "data");
    await (await open({ DATA_DIR })).store.close();
    const settings = { DATA_DIR, DATABASE_URL: await createDatabase(POSTGRES_URL!) };
    const { events } = await open(settings);
    expect(events).toContain("sqlite_not_used");
    // as a command does
    await (await open({ DATA_DIR })).store.close();
    await noteDatabaseOf(readConfig(settings));
    await expect(open({ DATA_DIR })).rejects.toThrow("The data of this folder is in PostgreSQL");
  },
);

onPostgres.it("transactions in PostgreSQL are recorded by the tracer", async () => {
  const started: string[] = [];
  const span = { context: { traceId: "", spanId: "", isSampled: false }, update() {}, end() {} };
  const tracer: Tracer = {
    start(name) {
      started.push(name);
      return span;
    },
    span: (_name, _facts, work) => work(span),
  };
  const DATABASE_URL = await createDatabase(POSTGRES_URL!);
  const { store } = await open({ DATA_DIR: join(tempDir(), "data"), DATABASE_URL }, tracer);
  await storeTransaction(store.db, async (trx) => trx.selectFrom("accounts").select("id").execute());
  expect(started).toEqual(["store transaction"]);
});

onPostgres.it(
  "a command that needs a database for itself is refused while a server of any folder uses it",
  async () => {
    const DATABASE_URL = await createDatabase(POSTGRES_URL!);
    const { store } = await open({ DATA_DIR: join(tempDir(), "data"), DATABASE_URL });
    const config = readConfig({ DATA_DIR: join(tempDir(), "other"), DATABASE_URL });
    const { host, pathname } = new URL(DATABASE_URL);
    await expect(assertDatabaseUnused(config, "run vault forget --yes")).rejects.toThrow(
      `A server or command is using the database ${host}${pathname} (from 127.0.0.1); stop every server on it, then run vault forget --yes`,
    );
    await store.close();
    await assertDatabaseUnused(config, "run vault forget --yes");
  },
);
