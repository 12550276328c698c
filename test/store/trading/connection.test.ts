import Database from "better-sqlite3";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openKeyring } from "../../../src/store/accounts/keyring.ts";
import { addAccount, fileStore } from "../../support/store.ts";

const account = (id: string) => ({ id, plan: "pro" as const, terms: "x".repeat(9_000), created_at: "t" });

describe("a full disk", () => {
  it("rejects writes, keeps stored rows, and recovers", async () => {
    const { db } = await fileStore();
    const keyring = openKeyring(db);
    await keyring.openAccount(account("a"));
    await sql`pragma max_page_count = 1`.execute(db); // SQLite limits the number of pages.
    await expect(keyring.openAccount(account("b"))).rejects.toMatchObject({ code: "STORAGE_FULL" });
    expect([await keyring.account("a"), await keyring.account("b")]).toEqual([account("a"), null]);
    await sql`pragma max_page_count = 10000`.execute(db);
    expect(await keyring.openAccount(account("b"))).toEqual(account("b"));
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
      await tx
        .insertInto("accounts")
        .values(insert("large", "x".repeat(9_000)))
        .execute();
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

describe("any other failure", () => {
  it("is passed on unchanged", async () => {
    const { db } = await fileStore();
    await expect(sql`select 1 from nowhere`.execute(db)).rejects.toThrow("no such table: nowhere");
  });
});
