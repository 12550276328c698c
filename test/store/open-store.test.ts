import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { SetupError } from "../../src/lib/setup-error.ts";
import { checksumPath } from "../../src/store/checksum.ts";
import { MIGRATIONS } from "../../src/store/migrations/index.ts";
import { openStore, type SqliteStore } from "../../src/store/open-store.ts";
import { runChild } from "../support/child.ts";
import { collectingLog, stoppedClock } from "../support/context.ts";
import { addAccount, fileStore } from "../support/store.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("a store opened without room for shared memory", () => {
  const crowded = async () => {
    const dataDir = join(tempDir(), "data");
    const store = await openStore({ dataDir, clock: stoppedClock() });
    await addAccount(store.db);
    await store.close();
    symlinkSync("nowhere", `${store.file}-shm`); // SQLite does not create a file through a link.
    return dataDir;
  };
  const accountsIn = ({ db }: SqliteStore) => db.selectFrom("accounts").select("id").execute();

  it("is read-only, and other processes can read the folder as well", async () => {
    const dataDir = await crowded();
    const stores = [await fileStore({ dataDir }), await fileStore({ dataDir })];
    for (const store of stores) {
      expect(await accountsIn(store)).toEqual([{ id: "a" }]);
      expect(store.health.fault()).toMatchObject({ kind: "full" });
      await expect(addAccount(store.db, "b")).rejects.toMatchObject({ code: "STORAGE_FULL" });
      const inTransaction = store.db.transaction().execute((tx) => addAccount(tx, "b"));
      await expect(inTransaction).rejects.toMatchObject({ code: "STORAGE_FULL" });
    }
    expect(readdirSync(dataDir)).not.toContain("market-signal.db-wal");
  });

  it("can be written again when there is room, beside other processes", async () => {
    const dataDir = await crowded();
    const { log, lines } = collectingLog();
    const store = await fileStore({ dataDir, log });
    const other = await fileStore({ dataDir });
    const third = await fileStore({ dataDir });
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    store.upkeep.start();
    rmSync(`${store.file}-shm`);
    vi.advanceTimersByTime(5_000);
    await addAccount(store.db, "b");
    expect(await accountsIn(other)).toEqual([{ id: "a" }, { id: "b" }]);
    other.upkeep.start();
    vi.advanceTimersByTime(5_000);
    expect([store, other].map(({ health }) => health.fault())).toEqual([null, null]);
    await addAccount(other.db, "c");
    expect(await accountsIn(third)).toEqual([{ id: "a" }, { id: "b" }, { id: "c" }]);
    const events = lines.map(({ event }) => event).filter((event) => event.startsWith("storage"));
    expect(events).toEqual(["storage_full", "storage_recovered"]);
  });

  it("loses the checksum of a process that closed before writes were allowed", async () => {
    const dataDir = await crowded();
    const store = await fileStore({ dataDir });
    await (await openStore({ dataDir, clock: stoppedClock() })).close();
    expect(existsSync(checksumPath(store.file))).toBe(true);
    rmSync(`${store.file}-shm`);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    store.upkeep.start();
    vi.advanceTimersByTime(5_000);
    expect(existsSync(checksumPath(store.file))).toBe(false);
  });

  it("needs room for a change of the tables", async () => {
    const dataDir = await crowded();
    const migrations = { ...MIGRATIONS, "9999-later": { up: async () => {} } };
    await expect(openStore({ dataDir, clock: stoppedClock(), migrations })).rejects.toEqual(
      new SetupError(`DATA_DIR ${dataDir}: it can only be read: the disk is full or read-only`),
    );
  });
});

describe("an open store", () => {
  it("restricts every file to its owner", async () => {
    const store = await fileStore();
    await addAccount(store.db);
    store.counters.exec("CREATE TABLE t (a)");
    const dataDir = dirname(store.file);
    const modes = Object.fromEntries(
      readdirSync(dataDir).map((name) => [name, (statSync(join(dataDir, name)).mode & 0o777).toString(8)]),
    );
    expect(modes).toEqual({
      "market-signal.db": "600",
      "market-signal.db-shm": "600",
      "market-signal.db-wal": "600",
      "meters.db": "600",
      "meters.db-shm": "600",
      "meters.db-wal": "600",
      "start.lock": "600",
    });
  });

  it("syncs the main database, but not the counters", async () => {
    const { db, counters } = await fileStore();
    const pragma = async (name: string) => {
      const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db);
      return Object.values(rows[0] ?? {})[0];
    };
    const FULL = 2;
    const OFF = 0;
    expect([await pragma("journal_mode"), await pragma("synchronous"), await pragma("foreign_keys")]).toEqual(
      ["wal", FULL, 1],
    );
    expect(counters.pragma("synchronous", { simple: true })).toBe(OFF);
  });

  it("never blocks the event loop to wait for another process", async () => {
    const { db } = await fileStore();
    const { rows } = await sql`pragma busy_timeout`.execute(db);
    expect(rows).toEqual([{ timeout: 0 }]);
  });

  it("rejects a key without an account", async () => {
    const { db } = await fileStore();
    const orphan = db.insertInto("keys").values({
      id: "k",
      account: "nobody",
      name: "n",
      kind: "live",
      hash: "h",
      last4: "abcd",
      scopes: "read",
      created_at: "t",
      expires_at: null,
      revoked_at: null,
      replaced_by: null,
      grace_until: null,
    });
    await expect(orphan.execute()).rejects.toThrow("FOREIGN KEY constraint failed");
  });

  it("reports in one line that a file in the folder cannot be used", async () => {
    const dataDir = tempDir();
    mkdirSync(join(dataDir, "market-signal.db"));
    await expect(openStore({ dataDir, clock: stoppedClock() })).rejects.toEqual(
      new SetupError(`DATA_DIR ${dataDir}: it cannot be used (EISDIR)`),
    );
  });

  it("opens a new folder for several processes at once, with a single first key", async () => {
    const dataDir = join(tempDir(), "data");
    const source = `
      import { createAccess } from "./src/access/access.ts";
      import { PLAN_SCHEDULES } from "./src/access/plans.ts";
      import { openKeyring } from "./src/store/accounts/keyring.ts";
      import { openStore } from "./src/store/open-store.ts";
      const clock = { now: () => new Date() };
      const store = await openStore({ dataDir: ${JSON.stringify(dataDir)}, clock });
      const ids = { uuid: () => crypto.randomUUID() };
      const access = createAccess({ keyring: openKeyring(store.db), clock, ids, schedule: PLAN_SCHEDULES.A });
      console.log((await access.createFirstKey()) === null ? "none" : "key");
      await store.close();`;
    const printed = await Promise.all([1, 2, 3].map(() => runChild(source)));
    expect(printed.sort()).toEqual(["key", "none", "none"]);
  });
});
