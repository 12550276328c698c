import { describe, expect, it } from "vitest";
import type { LevelSnapshot } from "../../../src/domain/prediction-markets/contracts.ts";
import { contractSnapshotRepository } from "../../../src/store/prediction-markets/contract-snapshots.ts";
import { collectingLog } from "../../support/context.ts";
import { testStore } from "../../support/store.ts";

const NOON = Date.parse("2026-01-13T12:00:00Z");
const MINUTE = 60_000;
const DAY = 86_400_000;
/** A snapshot some minutes after noon, identified by its price. */
const snapshot = (minutes: number, price: number): LevelSnapshot => {
  const at = NOON + minutes * MINUTE;
  const bet = { venue: "acme", id: "c1", kind: "at", level: 140, by: null, probability: 0.5 } as const;
  return { at, price, bets: [{ ...bet, dollars: 1e5, at: at - MINUTE }], reason: null };
};
const openRepository = async () => {
  const { db } = await testStore();
  const { log, lines } = collectingLog();
  return { db, lines, ...contractSnapshotRepository({ db, market: "test", log }) };
};
const all = { since: 0, until: NOON + 1_000 * DAY };

describe("stored contract snapshots", () => {
  it("return the newest one within a range", async () => {
    const { save, newest } = await openRepository();
    const [first, second] = [snapshot(0, 1), snapshot(15, 2)];
    await save("AAPL", first);
    await save("AAPL", second);
    expect(await newest("AAPL", all)).toEqual(second);
    expect(await newest("AAPL", { ...all, until: second.at })).toEqual(second);
    expect(await newest("AAPL", { ...all, until: second.at - 1 })).toEqual(first);
    expect(await newest("AAPL", { since: first.at + 1, until: second.at - 1 })).toBeNull();
    expect(await newest("MSFT", all)).toBeNull();
  });

  it("store the first one of 15 minutes and never change it", async () => {
    const { save, newest, db } = await openRepository();
    for (const [minutes, price] of [
      [0, 1],
      [0, 2],
      [14.9, 3],
      [-10, 4],
    ] as const)
      await save("AAPL", snapshot(minutes, price));
    expect(await newest("AAPL", all)).toEqual(snapshot(0, 1));
    await save("AAPL", snapshot(15, 5));
    await save("MSFT", snapshot(15, 6));
    expect(await db.selectFrom("contract_snapshots").select("symbol").execute()).toHaveLength(3);
  });

  it("are stored after a clock that was ahead", async () => {
    const { save, newest } = await openRepository();
    await save("AAPL", { ...snapshot(0, 1), at: NOON + 30 * DAY });
    await save("AAPL", snapshot(0, 2));
    expect(await newest("AAPL", { ...all, until: NOON })).toEqual(snapshot(0, 2));
  });

  it("return the time of the oldest one", async () => {
    const { save, oldestSavedAt } = await openRepository();
    expect(await oldestSavedAt("AAPL")).toBeNull();
    await save("AAPL", snapshot(0, 1));
    await save("AAPL", snapshot(60, 1));
    expect(await oldestSavedAt("AAPL")).toBe(NOON);
  });

  it("are deleted after 400 days", async () => {
    const { save, oldestSavedAt } = await openRepository();
    await save("AAPL", snapshot(0, 1));
    const later = { ...snapshot(0, 2), at: NOON + 400 * DAY };
    await save("AAPL", { ...later, at: later.at - 1 });
    expect(await oldestSavedAt("AAPL")).toBe(NOON);
    await save("AAPL", { ...later, at: later.at + DAY });
    expect(await oldestSavedAt("AAPL")).toBe(later.at - 1);
  });

  it("are at most 10,000 of a symbol", async () => {
    const { db, save } = await openRepository();
    const old = Array.from({ length: 10_000 }, (_, i) => ({
      market: "test",
      symbol: "AAPL",
      json: "{}",
      at: new Date(NOON - (i + 15) * MINUTE).toISOString(),
    }));
    for (let i = 0; i < old.length; i += 500)
      await db
        .insertInto("contract_snapshots")
        .values(old.slice(i, i + 500))
        .execute();
    await save("AAPL", snapshot(0, 1));
    const { count } = await db
      .selectFrom("contract_snapshots")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    expect(count).toBe(10_000);
  });

  it("belong to one market, and ignore invalid rows", async () => {
    const { save, newest, db } = await openRepository();
    await save("AAPL", snapshot(0, 1));
    const other = contractSnapshotRepository({ db, market: "another", log: collectingLog().log });
    expect(await other.newest("AAPL", all)).toBeNull();
    expect(await other.oldestSavedAt("AAPL")).toBeNull();
    await db.updateTable("contract_snapshots").set({ json: '{"price":-1}' }).execute();
    expect(await newest("AAPL", all)).toBeNull();
  });

  it("are logged when they cannot be stored", async () => {
    const { save, db, lines } = await openRepository();
    await db.schema.dropTable("contract_snapshots").execute();
    await save("AAPL", snapshot(0, 1));
    expect(lines).toMatchObject([{ level: "warn", event: "contracts_not_stored" }]);
  });
});
