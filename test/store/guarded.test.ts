import { Kysely, SqliteDialect, sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openKeyring } from "../../src/store/accounts/keyring.ts";
import { guarded } from "../../src/store/guarded.ts";
import { retryWhileBusy } from "../../src/store/retry-busy.ts";
import type { Schema } from "../../src/store/schema.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { createStorageMonitor } from "../../src/store/storage-monitor.ts";
import { collectingLog, stoppedClock } from "../support/context.ts";
import { overwritePages } from "../support/damage.ts";
import { addAccount, fileStore } from "../support/store.ts";

/** Longer than the pages that migrations leave free. */
const TOO_LONG = "x".repeat(90_000);

const account = (id: string) => ({
  id,
  plan: "pro" as const,
  terms: TOO_LONG,
  created_at: "t",
  suspended_at: null,
});

describe("a full disk", () => {
  it("rejects writes, keeps stored rows, and recovers", async () => {
    const { log, lines } = collectingLog();
    const { db, health } = await fileStore({ log });
    const keyring = openKeyring(db);
    await keyring.openAccount(account("a"));
    await sql`pragma max_page_count = 1`.execute(db); // SQLite limits the number of pages.
    await expect(keyring.openAccount(account("b"))).rejects.toMatchObject({ code: "STORAGE_FULL" });
    expect([await keyring.account("a"), await keyring.account("b")]).toEqual([account("a"), null]);
    expect(health.fault()).toMatchObject({ kind: "full" });
    await sql`pragma max_page_count = 10000`.execute(db);
    expect(await keyring.openAccount(account("b"))).toEqual(account("b"));
    expect(health.fault()).toBeNull();
    expect(lines.map(({ event }) => event)).toEqual(["storage_full", "storage_recovered"]);
  });
});

describe("the fault of a full disk", () => {
  it("stays through transactions and statements that change no row", async () => {
    const { db, health } = await fileStore();
    const keyring = openKeyring(db);
    await sql`pragma max_page_count = 1`.execute(db);
    await expect(keyring.openAccount(account("a"))).rejects.toMatchObject({ code: "STORAGE_FULL" });
    await db.deleteFrom("accounts").execute();
    await db.updateTable("accounts").set({ plan: "free" }).execute();
    await db.transaction().execute((tx) => tx.deleteFrom("accounts").execute());
    const failing = db.transaction().execute(async (tx) => {
      await addAccount(tx);
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    await db.transaction().execute((tx) => tx.selectFrom("accounts").select("id").execute());
    expect(health.fault()).toMatchObject({ kind: "full" });
    await addAccount(db);
    expect(health.fault()).toBeNull();
  });

  it("stays while a small write succeeds on a disk with almost no free space", () => {
    let room = false;
    const { log, lines } = collectingLog();
    const monitor = createStorageMonitor({
      clock: stoppedClock(),
      log,
      hasRoom: () => room,
      recoveryMessage: () => "",
    });
    monitor.full(new Error("full"));
    monitor.wrote();
    expect(monitor.fault()).toMatchObject({ kind: "full" });
    room = true;
    monitor.wrote();
    expect(monitor.fault()).toBeNull();
    expect(lines.map(({ event }) => event)).toEqual(["storage_full", "storage_recovered"]);
  });
});

describe("a full disk in a transaction", () => {
  it("is reported as STORAGE_FULL, and rolls back the whole transaction", async () => {
    const { db } = await fileStore();
    await sql`pragma max_page_count = 1`.execute(db);
    const insert = (id: string, overrides: string | null) =>
      ({ id, plan: "pro", overrides, created_at: "t" }) as const;
    const both = db.transaction().execute(async (tx) => {
      await tx.insertInto("accounts").values(insert("small", null)).execute();
      await tx.insertInto("accounts").values(insert("large", TOO_LONG)).execute();
    });
    await expect(both).rejects.toMatchObject({ code: "STORAGE_FULL" });
    expect(await db.selectFrom("accounts").select("id").execute()).toEqual([]);
  });
});

describe("a transaction", () => {
  it("locks for writing before it reads, so that a write of another process cannot make it fail", async () => {
    const { db, file } = await fileStore();
    const other = new Database(file, { timeout: 0 });
    onTestFinished(() => void other.close());
    await db.transaction().execute(async (tx) => {
      await tx.selectFrom("accounts").select("id").execute();
      expect(() => other.exec("begin immediate")).toThrow("database is locked");
      await addAccount(tx);
    });
    other.exec("begin immediate; commit");
    expect(other.prepare("select count(*) from accounts").pluck().get()).toBe(1);
  });
});

describe("the write lock of another process", () => {
  const locked = async () => {
    const { db, file } = await fileStore();
    const other = new Database(file, { timeout: 0 });
    onTestFinished(() => void other.close());
    other.exec("begin immediate");
    return { db, other };
  };

  it("delays a write until it is released, while reads and the event loop go on", async () => {
    const { db, other } = await locked();
    const writing = addAccount(db);
    const inTransaction = db.transaction().execute((tx) => addAccount(tx, "b"));
    await new Promise((done) => setTimeout(done, 150));
    expect(await db.selectFrom("accounts").select("id").execute()).toEqual([]);
    other.exec("commit");
    await Promise.all([writing, inTransaction]);
    expect(await db.selectFrom("accounts").select("id").orderBy("id").execute()).toEqual([
      { id: "a" },
      { id: "b" },
    ]);
  });

  it("is reported as STORAGE_BUSY after two seconds, and nothing is stored", async () => {
    const { db, other } = await locked();
    await expect(addAccount(db)).rejects.toMatchObject({ code: "STORAGE_BUSY", data: { retry_after: 1 } });
    other.exec("commit");
    expect(await db.selectFrom("accounts").select("id").execute()).toEqual([]);
  });
});

/** A second connection to a database that counts the statements it is given. */
function countingDatabase(file: string) {
  const raw = new Database(file, { timeout: 0 });
  const monitor = createStorageMonitor({
    clock: stoppedClock(),
    hasRoom: () => true,
    recoveryMessage: () => "",
  });
  const { prepare, close } = guarded(raw, monitor);
  const count = { statements: 0 };
  const database = {
    close,
    prepare(text: string) {
      count.statements++;
      return prepare(text);
    },
  };
  const db = retryWhileBusy(new Kysely<Schema>({ dialect: new SqliteDialect({ database }) }));
  onTestFinished(() => db.destroy());
  return { db, count };
}

describe("many writes during the write lock of another process", () => {
  it("leave the event loop free: one of them tries at a time, and all are stored after the release", async () => {
    const { file } = await fileStore();
    const { db, count } = countingDatabase(file);
    const other = new Database(file, { timeout: 0 });
    onTestFinished(() => void other.close());
    other.exec("begin immediate");
    const writes = Array.from({ length: 30 }, (_, n) => addAccount(db, `${n}`));
    const statementsInNextIteration = async () => {
      const before = count.statements;
      await new Promise(setImmediate);
      return count.statements - before;
    };
    while (count.statements < 31) await statementsInNextIteration();
    let most = 0;
    while (count.statements < 40) most = Math.max(most, await statementsInNextIteration());
    expect(most).toBe(1);
    other.exec("commit");
    const before = count.statements;
    await Promise.all(writes);
    expect(count.statements - before).toBe(30);
    expect(await db.selectFrom("accounts").select("id").execute()).toHaveLength(30);
  });
});

describe("a database damaged while it is open", () => {
  it("rejects the call that meets the damage and all later writes, and logs how to restore it once", async () => {
    const { log, lines } = collectingLog();
    const { db, file, health } = await fileStore({ log });
    await addAccount(db);
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
    await sql`pragma shrink_memory`.execute(db);
    overwritePages(file);
    await expect(sql`pragma integrity_check`.execute(db)).resolves.toBeDefined();
    await expect(sql`select * from accounts`.execute(db)).rejects.toMatchObject({ code: "STORAGE_DAMAGED" });
    await expect(addAccount(db, "b")).rejects.toMatchObject({ code: "STORAGE_DAMAGED" });
    expect(health.fault()).toMatchObject({ kind: "damaged" });
    expect(lines).toMatchObject([{ event: "database_damaged", fields: { message: /is damaged\./ } }]);
  });
});

describe("any other failure", () => {
  it("is passed on unchanged", async () => {
    const { db } = await fileStore();
    await expect(sql`select 1 from nowhere`.execute(db)).rejects.toThrow("no such table: nowhere");
  });
});
