import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { BacktestRecord } from "../../../src/domain/ports.ts";
import { backtests } from "../../../src/store/backtest/backtests.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { stoppedClock } from "../../support/context.ts";
import { testStore } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** The nth backtest, made n seconds after the start of 2026. */
const run = (n: number, over: Partial<BacktestRecord> = {}) => ({
  account: "ada",
  id: `run-${n}`,
  createdAt: new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString(),
  request: { symbol: "AAPL", n },
  result: { return_pct: 1.5, trades: [{ profit: -2 }] },
  ...over,
});
const result = ({ account: _, ...backtest }: ReturnType<typeof run>) => backtest;

const openRepository = async () => {
  const { db } = await testStore();
  return { db, ...backtests({ db, market: "test" }) };
};

describe("stored backtests", () => {
  it("are found only by their account and market", async () => {
    const { db, save, find, list } = await openRepository();
    await save(run(1));
    expect(await find("ada", "run-1")).toEqual(result(run(1)));
    expect(await find("ada", "run-2")).toBeNull();
    expect(await find("bob", "run-1")).toBeNull();
    expect(await list("bob", 9)).toEqual([]);
    const elsewhere = backtests({ db, market: "another" });
    expect(await elsewhere.find("ada", "run-1")).toBeNull();
    expect(await elsewhere.list("ada", 9)).toEqual([]);
  });

  it("may have the same id in two accounts", async () => {
    const { save, find } = await openRepository();
    await save(run(1));
    await save({ ...run(1, { result: { return_pct: 9 } }), account: "bob" });
    expect((await find("ada", "run-1"))?.result).toEqual(run(1).result);
    expect((await find("bob", "run-1"))?.result).toEqual({ return_pct: 9 });
  });

  it("are listed newest first, without their results", async () => {
    const { save, list } = await openRepository();
    for (const n of [2, 1, 3]) await save(run(n));
    expect(await list("ada", 2)).toEqual([
      { id: "run-3", createdAt: "2026-01-01T00:00:03.000Z", request: { symbol: "AAPL", n: 3 } },
      { id: "run-2", createdAt: "2026-01-01T00:00:02.000Z", request: { symbol: "AAPL", n: 2 } },
    ]);
  });

  it("remain after the folder is closed and opened again", async () => {
    const opened = { dataDir: join(tempDir(), "data"), clock: stoppedClock() };
    const first = await openStore(opened);
    await backtests({ db: first.db, market: "test" }).save(run(1));
    await first.close();
    const second = await openStore(opened);
    expect(await backtests({ db: second.db, market: "test" }).find("ada", "run-1")).toEqual(result(run(1)));
    await second.close();
  });

  it("are replaced by a newer one with the same id", async () => {
    const { save, find, list } = await openRepository();
    await save(run(1));
    const again = run(5, { id: "run-1", result: { return_pct: 2 } });
    await save(again);
    expect(await find("ada", "run-1")).toEqual(result(again));
    expect(await list("ada", 9)).toHaveLength(1);
  });

  it("are at most 200 per account over all markets; the oldest is deleted first", async () => {
    const { db, save, list, find } = await openRepository();
    await save({ ...run(0), account: "bob" });
    await backtests({ db, market: "another" }).save(run(0));
    for (let n = 1; n < 200; n++) await save(run(n));
    const count = async () => (await db.selectFrom("backtests").select("id").execute()).length;
    expect(await count()).toBe(201);
    await save(run(200));
    expect(await count()).toBe(201);
    expect(await backtests({ db, market: "another" }).find("ada", "run-0")).toBeNull();
    expect((await list("ada", 999)).map(({ id }) => id)).toEqual(
      Array.from({ length: 200 }, (_, i) => `run-${200 - i}`),
    );
    expect(await find("bob", "run-0")).not.toBeNull();
  });

  it("include the one stored last, even after the clock was set back", async () => {
    const { save, find } = await openRepository();
    for (let n = 1; n <= 200; n++) await save(run(n));
    await save(run(-1));
    expect(await find("ada", "run--1")).not.toBeNull();
    expect(await find("ada", "run-1")).toBeNull();
    expect(await find("ada", "run-2")).not.toBeNull();
  });

  it("are limited to 4 MB of JSON, counted in bytes; a larger one changes nothing", async () => {
    const { save, find } = await openRepository();
    // {"a":""} twice is 16 bytes, each of these letters has two
    const sized = (letters: number) =>
      run(1, { request: { a: "é".repeat(letters) }, result: { a: "é".repeat(1_000_000) } });
    await save(sized(999_992));
    await expect(save(sized(999_993))).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: "A backtest of 4.1 MB cannot be stored: the maximum is 4.0 MB",
      hint: "Use fewer symbols, a shorter date range or a longer timeframe.",
    });
    expect((await find("ada", "run-1"))?.request).toEqual({ a: "é".repeat(999_992) });
  });

  it.each(["[1]", '"text"', "null", "{"])("ignore an invalid row: %s", async (spoiled) => {
    const { db, save, find, list } = await openRepository();
    await save(run(1));
    await db.updateTable("backtests").set({ result: spoiled }).execute();
    expect(await find("ada", "run-1")).toBeNull();
    expect(await list("ada", 9)).toHaveLength(1);
    await db.updateTable("backtests").set({ request: spoiled }).execute();
    expect(await list("ada", 9)).toEqual([]);
  });
});
