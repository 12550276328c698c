import { Kysely, sql } from "kysely";
import { expect, it } from "vitest";
import { postgresDialect } from "../../../src/store/postgres/dialect.ts";
import { openPool } from "../../../src/store/postgres/pool.ts";
import { deleteRows, findRow, insertRows, listRows, updateRows } from "../../../src/store/queries.ts";
import type { Schema } from "../../../src/store/schema.ts";
import { createDatabase, onPostgres, POSTGRES_URL } from "../../support/postgres.ts";
import { addAccount, testStore } from "../../support/store.ts";

const plan = (value: unknown) => ({ plan: value as string });

onPostgres.describe("a transaction", () => {
  it("excludes others from its beginning, so that none reads what another is about to change", async () => {
    const { db } = await testStore();
    await addAccount(db);
    const addOne = () =>
      db.transaction().execute(async (tx) => {
        const row = await findRow(tx, "accounts", { id: "a" });
        await updateRows(
          tx,
          "accounts",
          { id: "a" },
          plan(String(Number(row?.plan.replace("pro", "0")) + 1)),
        );
      });
    await Promise.all(Array.from({ length: 40 }, addOne));
    expect(await findRow(db, "accounts", { id: "a" })).toMatchObject({ plan: "40" });
  });

  it("that only reads sees one state, and does not wait for one that writes", async () => {
    const { db } = await testStore();
    await addAccount(db);
    await db.transaction().execute(async (writing) => {
      await addAccount(writing, "b");
      const reading = db.transaction().setAccessMode("read only");
      expect(await reading.execute((tx) => listRows(tx, "accounts", {}))).toHaveLength(1);
    });
    expect(await listRows(db, "accounts", {})).toHaveLength(2);
  });

  it("that only reads cannot write", async () => {
    const { db } = await testStore();
    const reading = db.transaction().setAccessMode("read only");
    await expect(reading.execute((tx) => addAccount(tx))).rejects.toMatchObject({ code: "STORAGE_FULL" });
    await addAccount(db);
  });

  it("is rolled back, and says so, if the error of a statement in it was not passed on", async () => {
    const { db } = await testStore();
    const swallowing = db.transaction().execute(async (tx) => {
      await addAccount(tx);
      await addAccount(tx).catch(() => {});
    });
    await expect(swallowing).rejects.toThrow("Nothing was stored: a statement of the transaction had failed");
    expect(await listRows(db, "accounts", {})).toEqual([]);
  });

  it("whose connection breaks is STORAGE_BUSY, stores nothing and leaves the others working", async () => {
    const { db } = await testStore();
    const broken = db.transaction().execute(async (tx) => {
      await addAccount(tx);
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
    });
    await expect(broken).rejects.toMatchObject({
      code: "STORAGE_BUSY",
      message: "Nothing was stored: the database does not answer",
    });
    await addAccount(db, "b");
    expect(await listRows(db, "accounts", {})).toMatchObject([{ id: "b" }]);
  });
});

onPostgres.describe("a value", () => {
  it("that is an object is refused, as the driver would store its JSON", async () => {
    const { db } = await testStore();
    await addAccount(db);
    for (const value of [{ a: 1 }, ["a"], new Date(0)])
      await expect(updateRows(db, "accounts", { id: "a" }, plan(value))).rejects.toThrow(
        "A value of type object cannot be stored",
      );
  });

  it("with U+0000 is INVALID_INPUT", async () => {
    const { db } = await testStore();
    await expect(addAccount(db, "a\u0000b")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("is returned as SQLite returns it", async () => {
    const { db } = await testStore();
    const { rows } = await sql`
      select 9007199254740991::bigint as integer, sum(n) as sum, avg(n) as average, 1 < 2 as yes, 2 < 1 as no,
        ${Number.NaN}::float8 as nothing, 0.1::float8 as real from (values (1::bigint), (2)) as of (n)`.execute(
      db,
    );
    expect(rows).toEqual([
      { integer: 2 ** 53 - 1, sum: 3, average: 1.5, yes: 1, no: 0, nothing: null, real: 0.1 },
    ]);
  });

  it("that no number holds exactly is an error", async () => {
    const { db } = await testStore();
    await expect(sql`select 9007199254740993::bigint as integer`.execute(db)).rejects.toThrow(
      "The database returned 9007199254740993, which is no safe integer",
    );
  });
});

onPostgres.describe("rows", () => {
  it("are ordered by the bytes of their text, whatever the collation of the database", async () => {
    const { db } = await testStore();
    for (const id of ["b", "B", "a", "é", "Z"]) await addAccount(db, id);
    const ids = (await listRows(db, "accounts", {}, { order: ["id"] })).map(({ id }) => id);
    expect(ids).toEqual(["B", "Z", "a", "b", "é"]);
  });

  it("are numbered in the order of their transactions", async () => {
    const { db } = await testStore();
    const change = (id: string) => ({
      market: "m",
      id,
      symbol: "AAPL",
      timeframe: "1d",
      decided_at: id,
      noticed_at: id,
      json: "{}",
    });
    await Promise.all(
      ["a", "b", "c"].map((id) =>
        db.transaction().execute((tx) => insertRows(tx, "signal_changes", [change(id)])),
      ),
    );
    const rows = await listRows(db, "signal_changes", {}, { columns: ["seq"], order: ["seq"] });
    expect(rows).toEqual([{ seq: 1 }, { seq: 2 }, { seq: 3 }]);
  });

  it("are deleted up to a number", async () => {
    const { db } = await testStore();
    for (const id of ["a", "b", "c"]) await addAccount(db, id);
    expect(await deleteRows(db, "accounts", { plan: "pro" }, 2)).toBe(2);
    expect(await listRows(db, "accounts", {})).toHaveLength(1);
  });
});

onPostgres.it("a server that does not answer is given up, with its connection", async () => {
  const pool = openPool(await createDatabase(POSTGRES_URL!), { max: 1, answerTimeoutMs: 300 });
  const monitor = { fault: () => null, full() {}, damaged() {}, wrote() {} };
  const db = new Kysely<Schema>({ dialect: postgresDialect({ pool, monitor }) });
  const silent = db.transaction().execute((tx) => sql`select pg_sleep(3)`.execute(tx));
  await expect(silent).rejects.toMatchObject({ code: "STORAGE_BUSY" });
  const { rows } = await sql<{ answer: number }>`select 1 as answer`.execute(db);
  expect(rows).toEqual([{ answer: 1 }]);
  await db.destroy();
});
