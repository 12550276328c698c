import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Kysely } from "kysely";
import { describe, expect, it } from "vitest";
import { insertRows, listRows } from "../../src/store/queries.ts";
import type { Schema } from "../../src/store/schema.ts";
import {
  accountTransaction,
  appendTransaction,
  lockSequences,
  recordTransaction,
  storeTransaction,
} from "../../src/store/transactions.ts";
import { onPostgres } from "../support/postgres.ts";
import { addAccount, testStore } from "../support/store.ts";

const change = (id: string) => ({
  market: "m",
  id,
  symbol: "AAPL",
  timeframe: "1d",
  decided_at: id,
  noticed_at: id,
  json: "{}",
});

type Begin = (work: () => Promise<void>) => Promise<void>;
/** Time in which the second of two transactions would begin beside the first, on a machine in use. */
const PATIENCE_MS = { together: 5_000, "in turn": 100 };

/** Checks that the second transaction begins while the first runs (together), or after its end (in turn). */
async function expectOrder(expected: keyof typeof PATIENCE_MS, first: Begin, second: Begin): Promise<void> {
  const began: string[] = [];
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const running = first(async () => {
    began.push("first");
    await held;
  });
  await expect.poll(() => began).toEqual(["first"]);
  const waiting = second(async () => void began.push("second"));
  await Promise.race([waiting, sleep(PATIENCE_MS[expected])]);
  expect(began.length === 2 ? "together" : "in turn").toBe(expected);
  release();
  await Promise.all([running, waiting]);
}

describe("transactions", () => {
  it("that change nothing leave the database as it is, and return what the work returns", async () => {
    const { db } = await testStore();
    for (const result of [
      await storeTransaction(db, async () => 1),
      await accountTransaction(db, "a", async () => 1),
      await appendTransaction(db, async () => 1),
      await recordTransaction(db, async () => 1),
    ])
      expect(result).toBe(1);
    await accountTransaction(db, "a", (tx) => addAccount(tx));
    await expect(
      accountTransaction(db, "a", async (tx) => {
        await addAccount(tx, "b");
        throw new Error("refused");
      }),
    ).rejects.toThrow("refused");
    expect(await listRows(db, "accounts", {})).toMatchObject([{ id: "a" }]);
  });

  it("are begun in one file, where each says what it excludes", () => {
    const files = readdirSync("src/store", { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".ts"),
    );
    const beginning = files.filter((file) =>
      /\.transaction\(\)(?!\.setAccessMode)/.test(readFileSync(join("src/store", file), "utf8")),
    );
    expect(beginning).toEqual(["transactions.ts"]);
  });
});

onPostgres.describe("a transaction of an account", () => {
  const ofAccount = (db: Kysely<Schema>, account: string) => (work: () => Promise<void>) =>
    accountTransaction(db, account, work);
  const ofStore = (db: Kysely<Schema>) => (work: () => Promise<void>) =>
    storeTransaction(db, (tx) => addAccount(tx, "z").then(work));
  const appending = (db: Kysely<Schema>) => (work: () => Promise<void>) => appendTransaction(db, work);

  it("excludes those of the same account and of the store, but none of another account", async () => {
    const { db } = await testStore();
    await expectOrder("in turn", ofAccount(db, "a"), ofAccount(db, "a"));
    await expectOrder("together", ofAccount(db, "a"), ofAccount(db, "b"));
    await expectOrder("together", ofAccount(db, "a"), appending(db));
    await expectOrder("in turn", ofAccount(db, "a"), ofStore(db));
    await expectOrder("in turn", appending(db), appending(db));
  });

  it("does not exclude one that stores records, which excludes others of its kind and of the store", async () => {
    const { db } = await testStore();
    const recording = (work: () => Promise<void>) => recordTransaction(db, work);
    await expectOrder("together", ofAccount(db, "a"), recording);
    await expectOrder("together", recording, appending(db));
    await expectOrder("in turn", recording, recording);
    await expectOrder("in turn", ofStore(db), recording);
  });

  it("waits for one of the store, also for one of a library that begins its own", async () => {
    const { db } = await testStore();
    await expectOrder("in turn", ofStore(db), ofAccount(db, "a"));
    const ofLibrary = (work: () => Promise<void>) =>
      db.transaction().execute((tx) => listRows(tx, "accounts", {}).then(work));
    await expectOrder("in turn", ofLibrary, ofAccount(db, "a"));
    await expectOrder("in turn", ofLibrary, appending(db));
  });

  it("stores numbers of rows in the order of the commits, with others at the same time and without a deadlock", async () => {
    const { db } = await testStore();
    const seen: number[] = [];
    let isDone = false;
    const reading = (async () => {
      while (!isDone) {
        const last = seen.at(-1) ?? 0;
        const rows = await listRows(db, "signal_changes", {}, { columns: ["seq"], order: ["seq"] });
        seen.push(...rows.map(({ seq }) => seq).filter((seq) => seq > last));
      }
    })();
    const draw = async (tx: Kysely<Schema>, id: string) => {
      await lockSequences(tx);
      await insertRows(tx, "signal_changes", [change(id)]);
    };
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        [
          () => accountTransaction(db, `account ${n % 4}`, (tx) => draw(tx, `${n}`)),
          () => appendTransaction(db, (tx) => insertRows(tx, "signal_changes", [change(`${n}`)])),
          () => storeTransaction(db, (tx) => draw(tx, `${n}`)),
        ][n % 3]!(),
      ),
    );
    isDone = true;
    await reading;
    const rows = await listRows(db, "signal_changes", {}, { columns: ["seq"], order: ["seq"] });
    expect(rows).toHaveLength(60);
    // a reader that goes on after the highest number has missed none of those before it
    const until = seen.at(-1) ?? 0;
    expect(seen).toEqual(rows.map(({ seq }) => seq).filter((seq) => seq <= until));
  });
});

onPostgres.describe("transactions that wait for one of another process", () => {
  it("leave connections to reads, and all end in the order of their locks", async () => {
    const { db } = await testStore();
    await addAccount(db);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // a transaction of its own, as one of another process, which takes no turn in this one
    let isLocked = false;
    const other = db.transaction().execute(async (tx) => {
      await listRows(tx, "accounts", {});
      isLocked = true;
      await held;
    });
    await expect.poll(() => isLocked, { timeout: 5_000 }).toBe(true);
    const ended: string[] = [];
    const waiting = Array.from({ length: 12 }, (_, n) => [
      storeTransaction(db, async () => void ended.push(`store ${n}`)),
      accountTransaction(db, `account ${n}`, async () => void ended.push(`account ${n}`)),
    ]).flat();
    await sleep(100);
    expect(await listRows(db, "accounts", {})).toHaveLength(1);
    expect(ended).toEqual([]);
    release();
    await Promise.all([other, ...waiting]);
    expect(ended.filter((one) => one.startsWith("store"))).toEqual(
      Array.from({ length: 12 }, (_, n) => `store ${n}`),
    );
    expect(ended).toHaveLength(24);
  });
});
