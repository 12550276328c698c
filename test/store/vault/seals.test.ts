import { statSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createVault, rewrap } from "../../../src/access/vault/vault.ts";
import { signInRecords } from "../../../src/store/accounts/sign-in-records.ts";
import { Database } from "../../../src/store/sqlite/database.ts";
import { connections } from "../../../src/store/trading/connections.ts";
import { currentKeyId, sealsIn, truncateWal } from "../../../src/store/vault/seals.ts";
import { sealedSecrets } from "../../../src/store/vault/secrets.ts";
import { saveAllowedApp } from "../../support/connected-apps.ts";
import { addAccount, fileStore } from "../../support/store.ts";
import {
  CREDENTIALS,
  paperConnection as connection,
  firstKey as first,
  secondKey as second,
  vaultOf,
} from "../../support/vault.ts";

const id = (n: number) => connection(n).connection_id;

const openRepository = async () => {
  const store = await fileStore();
  const { db } = store;
  const seals = sealsIn(db, dirname(store.file));
  return { db, seals, ...connections({ db, market: "test", vault: vaultOf(first) }) };
};

describe("the master key of the seals", () => {
  const moving = (sealed: string, about: string) => rewrap(sealed, about, first, second);

  it("is the key of the first seal", async () => {
    const { seals, add } = await openRepository();
    expect(await seals.status()).toEqual({ keyId: null, count: 0, secrets: 0, audit: false });
    await add("ada", connection(1), CREDENTIALS);
    expect(await seals.status()).toEqual({ keyId: first.id, count: 1, secrets: 0, audit: false });
  });

  it("changes for every account and market at once", async () => {
    const { db, seals, add } = await openRepository();
    await add("ada", connection(1), CREDENTIALS);
    await add("bob", connection(2, { broker: "alpaca" }), CREDENTIALS);
    const elsewhere = { db, market: "live" };
    await connections({ ...elsewhere, vault: vaultOf(first) }).add(
      "ada",
      connection(3, { market: "live" }),
      CREDENTIALS,
    );
    expect(await seals.rewrapAll(second.id, moving)).toEqual({ connections: 3, secrets: 0 });
    expect(await currentKeyId(db)).toBe(second.id);
    const here = connections({ db, market: "test", vault: vaultOf(second) });
    expect((await here.find("ada", id(1)))?.credentials).toEqual(CREDENTIALS);
    expect((await here.find("bob", id(2)))?.credentials).toEqual(CREDENTIALS);
    const live = connections({ ...elsewhere, vault: vaultOf(second) });
    expect((await live.find("ada", id(3)))?.credentials).toEqual(CREDENTIALS);
  });

  it("also covers secrets, with or without connections", async () => {
    const { db, seals } = await openRepository();
    const stored = sealedSecrets({ db, vault: vaultOf(first) });
    await stored.save("ada", "n", "one");
    await stored.save("bob", "n", "two");
    expect(await seals.status()).toEqual({ keyId: first.id, count: 0, secrets: 2, audit: false });
    await seals.release();
    expect(await currentKeyId(db)).toBe(first.id);
    expect(await seals.rewrapAll(second.id, moving)).toEqual({ connections: 0, secrets: 2 });
    const next = sealedSecrets({ db, vault: vaultOf(second) });
    expect(await next.open("ada", "n")).toBe("one");
    expect(await next.open("bob", "n")).toBe("two");
    for (const account of ["ada", "bob"]) await next.remove(account, "n");
    await seals.release();
    expect(await currentKeyId(db)).toBeNull();
  });

  it("does not change when one seal cannot be opened", async () => {
    const { db, seals, add, find } = await openRepository();
    await add("ada", connection(1), CREDENTIALS);
    await add("zoe", connection(2), CREDENTIALS);
    await db.updateTable("connections").set({ sealed: "spoiled" }).where("account", "=", "zoe").execute();
    await expect(seals.rewrapAll(second.id, moving)).rejects.toThrow("Not a valid seal");
    expect(await currentKeyId(db)).toBe(first.id);
    expect((await find("ada", id(1)))?.credentials).toEqual(CREDENTIALS);
  });

  it("rejects sealing under a replaced key unless the new one is available", async () => {
    const { db, seals, add, list } = await openRepository();
    expect(await seals.rewrapAll(second.id, moving)).toEqual({ connections: 0, secrets: 0 });
    const stale = connections({ db, market: "test", vault: createVault(() => first) });
    await expect(stale.add("ada", connection(1), CREDENTIALS)).rejects.toMatchObject({
      code: "NOT_CONNECTED",
    });
    await expect(add("ada", connection(1), CREDENTIALS)).rejects.toThrow("no such key");
    expect(await list("ada")).toEqual([]);
    const both = connections({ db, market: "test", vault: vaultOf(first, second) });
    await both.add("ada", connection(1), CREDENTIALS);
    const fresh = connections({ db, market: "test", vault: vaultOf(second) });
    expect((await fresh.find("ada", id(1)))?.credentials).toEqual(CREDENTIALS);
  });

  it("is deleted only when nothing is sealed", async () => {
    const { db, seals, add, remove } = await openRepository();
    await add("ada", connection(1), CREDENTIALS);
    await seals.release();
    expect(await currentKeyId(db)).toBe(first.id);
    await remove("ada", id(1));
    await seals.release();
    expect(await currentKeyId(db)).toBeNull();
  });

  it("is deleted together with all seals", async () => {
    const { db, seals, add, list } = await openRepository();
    for (const account of ["ada", "bob"]) await add(account, connection(1), CREDENTIALS);
    await sealedSecrets({ db, vault: vaultOf(first) }).save("ada", "n", "x");
    expect(await seals.forget()).toEqual({ connections: 2, secrets: 1 });
    expect(await sealedSecrets({ db, vault: vaultOf(first) }).open("ada", "n")).toBeNull();
    expect(await seals.status()).toEqual({ keyId: null, count: 0, secrets: 0, audit: false });
    expect(await list("ada")).toEqual([]);
  });
});

it("recovery codes, which are hashed with a sealed key, are deleted with the seals", async () => {
  const { db, seals } = await openRepository();
  const at = "2026-01-15T15:00:00.000Z";
  await saveAllowedApp(db, { account: "ada", client: "app", at });
  const records = signInRecords(db);
  await records.replaceCodes("ada", [{ id: "c1", hash: "h1" }], at);
  await seals.forget();
  expect(await records.unusedCodes("ada")).toEqual({ left: 0, made_at: null });
});

describe("the write-ahead log", () => {
  it("is truncated when a reader of another process ends", async () => {
    const { db, file } = await fileStore();
    const reader = new Database(file);
    onTestFinished(() => void reader.close());
    reader.exec("begin; select * from accounts");
    await addAccount(db);
    const truncating = truncateWal(db);
    setImmediate(() => reader.exec("commit"));
    await truncating;
    expect(statSync(`${file}-wal`).size).toBe(0);
  });
});
