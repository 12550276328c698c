import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { connections } from "../../../src/store/trading/connections.ts";
import { fileStore } from "../../support/store.ts";
import {
  CREDENTIALS,
  paperConnection as connection,
  firstKey as first,
  secondKey as second,
  vaultOf,
} from "../../support/vault.ts";

/** Different credentials for each connection: one key is one connection. */
const keyed = (n: number) => ({ ...CREDENTIALS, api_key: `${CREDENTIALS.api_key}-${n}` });
const id = (n: number) => connection(n).connection_id;

const openRepository = async () => {
  const store = await fileStore();
  const { db } = store;
  return { store, db, ...connections({ db, market: "test", vault: vaultOf(first) }) };
};

describe("connections", () => {
  it("are found with their credentials only by their account and market", async () => {
    const { db, add, find, list } = await openRepository();
    await add("ada", connection(1), CREDENTIALS);
    expect(await find("ada", id(1))).toEqual({ connection: connection(1), credentials: CREDENTIALS });
    expect(await find("bob", id(1))).toBeNull();
    expect(await find("ada", id(2))).toBeNull();
    expect(await list("bob")).toEqual([]);
    const elsewhere = connections({ db, market: "another", vault: vaultOf(first) });
    expect(await elsewhere.find("ada", id(1))).toBeNull();
    expect(await elsewhere.list("ada")).toEqual([]);
    expect(await elsewhere.remove("ada", id(1))).toBe(false);
    await expect(elsewhere.add("ada", connection(2), CREDENTIALS)).rejects.toThrow(
      "A connection of the market test does not belong to another",
    );
  });

  it("are listed newest first, without credentials", async () => {
    const { add, list } = await openRepository();
    for (const n of [2, 1, 3]) await add("ada", connection(n), keyed(n));
    expect(await list("ada")).toEqual([3, 2, 1].map((n) => connection(n)));
  });

  it("are replaced with their credentials under the same id", async () => {
    const { add, find, list } = await openRepository();
    await add("ada", connection(1), CREDENTIALS);
    const again = connection(1, { account_mask: "9999" });
    await add("ada", again, { api_key: "k2", api_secret: "s2" });
    expect(await find("ada", id(1))).toEqual({
      connection: again,
      credentials: { api_key: "k2", api_secret: "s2" },
    });
    expect(await list("ada")).toHaveLength(1);
  });

  it("are one per key under concurrent calls, with the last secret", async () => {
    const { db, find, list } = await openRepository();
    const repositories = [0, 1].map(() => connections({ db, market: "test", vault: vaultOf(first) }));
    const stored = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        repositories[n % 2]!.add("ada", { ...connection(1), connection_id: `cn_${n}` }, CREDENTIALS),
      ),
    );
    expect(new Set(stored.map(({ connection_id }) => connection_id)).size).toBe(1);
    const [only] = await list("ada");
    expect(await list("ada")).toEqual([stored[0]]);
    const again = await repositories[1]!.add(
      "ada",
      { ...connection(2), connection_id: "cn_late" },
      { ...CREDENTIALS, api_secret: "newer" },
    );
    expect(again).toEqual({ ...only!, checked_at: connection(2).checked_at });
    expect((await find("ada", only!.connection_id))?.credentials.api_secret).toBe("newer");
    const unlike = [
      ["bob", connection(3)],
      ["ada", connection(4, { broker: "alpaca" })],
      ["ada", connection(5, { account_type: "live" })],
    ] as const;
    for (const [account, one] of unlike)
      expect(await repositories[0]!.add(account, one, CREDENTIALS)).toEqual(one);
    expect(await list("ada")).toHaveLength(3);
  });

  it("store when the broker last accepted the credentials", async () => {
    const { add, checked, list } = await openRepository();
    for (const account of ["ada", "bob"]) await add(account, connection(1), CREDENTIALS);
    await checked("ada", id(1), "2026-02-02T00:00:00.000Z");
    expect((await list("ada"))[0]?.checked_at).toBe("2026-02-02T00:00:00.000Z");
    expect((await list("bob"))[0]?.checked_at).toBe("2026-01-01T00:00:01.000Z");
  });

  it("are at most 20 per account; one more is rejected and changes nothing", async () => {
    const { add, list } = await openRepository();
    for (let n = 0; n < 20; n++) await add("ada", { ...connection(1), connection_id: `cn_${n}` }, keyed(n));
    await expect(add("ada", { ...connection(1), connection_id: "cn_20" }, keyed(20))).rejects.toMatchObject({
      code: "REFUSED",
      message: "An account has at most 20 connections",
    });
    expect(await list("ada")).toHaveLength(20);
    await add("ada", { ...connection(1), connection_id: "cn_7" }, keyed(7));
    await add("bob", connection(1), CREDENTIALS);
  });

  it("are removed once, only by their account", async () => {
    const { add, find, remove } = await openRepository();
    await add("ada", connection(1), CREDENTIALS);
    expect(await remove("bob", id(1))).toBe(false);
    expect(await find("ada", id(1))).not.toBeNull();
    expect(await remove("ada", id(1))).toBe(true);
    expect(await find("ada", id(1))).toBeNull();
    expect(await remove("ada", id(1))).toBe(false);
  });

  it("leave no credentials in any file, and no seals after removal", async () => {
    const { store, db, add, remove } = await openRepository();
    const dir = dirname(store.file);
    const files = () =>
      readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
    const within = (text: string) => files().some((bytes) => bytes.includes(text));
    for (const n of [1, 2]) await add("ada", connection(n), keyed(n));
    store.backUp();
    for (const secret of [
      CREDENTIALS.api_key,
      "canary-",
      // in quotes, because a table is named sealed_secrets
      ...['secret"', 'secret\\"'],
      Buffer.from("canary-key").toString("base64"),
    ])
      expect(within(secret)).toBe(false);
    const sealed = await db.selectFrom("connections").select("sealed").execute();
    const texts = sealed.map((row) => row.sealed.split(".")[3]!);
    const backups = () => readdirSync(join(dir, "backups"));
    expect(backups().every((name) => name.endsWith(".db"))).toBe(true);
    // a backup keeps its seals, which open only with the master key
    const own = () => ["", "-wal", "-shm"].map((end) => readFileSync(store.file + end));
    expect(texts.every((text) => own().some((bytes) => bytes.includes(text)))).toBe(true);
    for (const n of [1, 2]) await remove("ada", id(n));
    for (const text of texts) expect(own().some((bytes) => bytes.includes(text))).toBe(false);
  });
});

describe("credentials in a row", () => {
  const opening = async (
    change: (db: Awaited<ReturnType<typeof openRepository>>["db"]) => Promise<unknown>,
  ) => {
    const { db, add, find, list } = await openRepository();
    await add("ada", connection(1), CREDENTIALS);
    await add("ada", connection(2, { broker: "alpaca", account_type: "live" }), CREDENTIALS);
    await add("ada", connection(3), keyed(3));
    await add("bob", connection(1), CREDENTIALS);
    await change(db);
    expect(await list("ada")).toHaveLength(3);
    return find("ada", id(1));
  };
  const sealedOf = (
    db: Awaited<ReturnType<typeof openRepository>>["db"],
    account: string,
    n: number,
  ): Promise<{ sealed: string }> =>
    db
      .selectFrom("connections")
      .select("sealed")
      .where("account", "=", account)
      .where("id", "=", id(n))
      .executeTakeFirstOrThrow();
  const put = (db: Awaited<ReturnType<typeof openRepository>>["db"], change: Record<string, string>) =>
    db.updateTable("connections").set(change).where("account", "=", "ada").where("id", "=", id(1)).execute();

  it("open when nothing was changed", async () => {
    expect(await opening(async () => {})).not.toBeNull();
  });

  it.each<[string, (db: Awaited<ReturnType<typeof openRepository>>["db"]) => Promise<unknown>]>([
    ["the seal of another account", async (db) => put(db, await sealedOf(db, "bob", 1))],
    ["the seal of another broker", async (db) => put(db, await sealedOf(db, "ada", 2))],
    ["the seal of another connection of that broker", async (db) => put(db, await sealedOf(db, "ada", 3))],
    ["another broker", (db) => put(db, { broker: "alpaca" })],
    ["another type of account", (db) => put(db, { account_type: "live" })],
    ["no seal", (db) => put(db, { sealed: '{"api_key":"k","api_secret":"s"}' })],
  ])("do not open when the row has %s", async (_, change) => {
    await expect(opening(change)).rejects.toMatchObject({
      code: "NOT_CONNECTED",
      message: "The credentials of this connection cannot be opened",
    });
  });

  it("do not open without their master key", async () => {
    const { db, add } = await openRepository();
    await add("ada", connection(1), CREDENTIALS);
    const { find } = connections({ db, market: "test", vault: vaultOf(second) });
    await expect(find("ada", id(1))).rejects.toMatchObject({ code: "NOT_CONNECTED" });
  });
});
