import { join } from "node:path";
import { Kysely, Migrator, SqliteDialect } from "kysely";
import { onTestFinished } from "vitest";
import { createAccess } from "../../src/access/access.ts";
import { PLAN_SCHEDULES } from "../../src/access/plans.ts";
import { openKeyring } from "../../src/store/accounts/keyring.ts";
import { guarded } from "../../src/store/guarded.ts";
import { MIGRATIONS } from "../../src/store/migrations/index.ts";
import { openStore, type SqliteStore, type StoreOptions } from "../../src/store/open-store.ts";
import { insertRows } from "../../src/store/queries.ts";
import type { Schema } from "../../src/store/schema.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { createStorageMonitor } from "../../src/store/storage-monitor.ts";
import { countingIds, NOW } from "./context.ts";
import { POSTGRES_URL, takeDatabase } from "./postgres.ts";
import { tempDir } from "./temp-dir.ts";

/** A clock that moves only through `pass`. */
export function movingClock(start = NOW) {
  let at = start.getTime();
  return {
    now: () => new Date(at),
    pass: (ms: number): void => {
      at += ms;
    },
  };
}

/** A store without a file and without backups. */
export type MemoryStore = Pick<SqliteStore, "db" | "counters" | "close">;

const database = (raw: Database) =>
  new Kysely<Schema>({
    dialect: new SqliteDialect({
      database: guarded(
        raw,
        createStorageMonitor({ clock: { now: () => NOW }, hasRoom: () => true, recoveryMessage: () => "" }),
      ),
    }),
  });

/** The statements that make an empty database with every migration applied. */
async function migratedSchema(): Promise<string> {
  const raw = new Database(":memory:");
  const migrator = new Migrator({
    db: database(raw),
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  const objects = raw
    .prepare("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all();
  const applied = raw
    .prepare(
      "SELECT format('INSERT INTO kysely_migration VALUES (%Q, %Q)', name, timestamp) FROM kysely_migration",
    )
    .pluck()
    .all();
  raw.close();
  return ["BEGIN", ...objects, ...applied, "COMMIT"].join(";\n");
}

/** Created once per worker, as the migrations take longer than most tests. */
let schema: Promise<string> | undefined;

/** Adds an account. */
export const addAccount = (db: Kysely<Schema>, id = "a"): Promise<void> =>
  insertRows(db, "accounts", [{ id, plan: "pro", overrides: null, created_at: "t", suspended_at: null }]);

/** Adds a key named "agent", and its account. */
export async function addKey(db: Kysely<Schema>, id = "k", account = "a"): Promise<void> {
  await addAccount(db, account);
  const key = {
    id,
    account,
    name: "agent",
    kind: "live",
    hash: `hash of ${id}`,
    last4: "abcd",
    scopes: "read",
  };
  const none = {
    expires_at: null,
    revoked_at: null,
    replaced_by: null,
    grace_until: null,
    last_used_at: null,
  };
  await insertRows(db, "keys", [{ ...key, ...none, created_at: "t" }]);
}

/**
 * Opens an empty store, in memory or, with DATABASE_URL, in PostgreSQL; the caller closes it. `inMemory`: always in
 * memory, for a test with fake timers, which would affect those of the connections too.
 */
export async function openMemoryStore({ inMemory = false } = {}): Promise<MemoryStore> {
  if (POSTGRES_URL !== null && !inMemory) {
    const counters = new Database(":memory:");
    const { db, release } = await takeDatabase(POSTGRES_URL);
    const close = async () => {
      await release();
      counters.close();
    };
    return { db, counters, close };
  }
  schema ??= migratedSchema();
  const raw = new Database(":memory:");
  raw.exec(await schema);
  raw.pragma("foreign_keys = ON");
  const db = database(raw);
  const counters = new Database(":memory:");
  const close = async () => {
    await db.destroy();
    raw.close();
    counters.close();
  };
  return { db, counters, close };
}

/** Opens an empty store for the running test; it is closed when the test ends. */
export async function testStore(options?: Parameters<typeof openMemoryStore>[0]): Promise<MemoryStore> {
  const store = await openMemoryStore(options);
  onTestFinished(() => store.close());
  return store;
}

/** Opens a store in a temporary folder for the running test; it is closed when the test ends. */
export async function fileStore(options: Partial<StoreOptions> = {}): Promise<SqliteStore> {
  const store = await openStore({ dataDir: join(tempDir(), "data"), clock: movingClock(), ...options });
  onTestFinished(() => store.close());
  return store;
}

/** Access over a new in-memory store, with a clock that the test moves. */
export async function testAccess(schedule = PLAN_SCHEDULES.A) {
  return accessTo(await testStore(), schedule);
}

/** Access over a store, with a clock that the test moves. */
export function accessTo<S extends MemoryStore>(store: S, schedule = PLAN_SCHEDULES.A) {
  const clock = movingClock();
  const keyring = openKeyring(store.db);
  return { access: createAccess({ keyring, clock, ids: countingIds(), schedule }), clock, keyring, store };
}

export const noPeople = { hasPerson: async () => false };
/** No person allowed any app. */
export const noApps = { limits: async () => null };
