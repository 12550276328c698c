import { describe, expect, it } from "vitest";
import type { LevelSnapshot } from "../../../src/domain/prediction-markets/contracts.ts";
import { contractSnapshotRepository } from "../../../src/store/prediction-markets/contract-snapshots.ts";
import { collectingLog } from "../../support/context.ts";
import { testStore } from "../../support/store.ts";

const NOON = Date.parse("2026-01-13T12:00:00Z");
const MINUTE = 60_000;
const DAY = 86_400_000;
/** A snapshot some minutes after noon, named by its price. */
const snapshot = (minutes: number, price: number): LevelSnapshot => {
  const at = NOON + minutes * MINUTE;
  const bet = { venue: "acme", id: "c1", kind: "at", level: 140, by: null, probability: 0.5 } as const;
  return { at, price, bets: [{ ...bet, dollars: 1e5, at: at - MINUTE }], reason: null };
};
const shelf = async () => {
  const { db } = await testStore();
  const { log, lines } = collectingLog();
  return { db, lines, ...contractSnapshotRepository({ db, market: "test", log }) };
};
const all = { since: 0, until: NOON + 1_000 * DAY };

describe("kept prediction markets", () => {
  it("are told as they stood last within a range", async () => {
    const { save: keep, newest } = await shelf();
    const [first, second] = [snapshot(0, 1), snapshot(15, 2)];
    await keep("AAPL", first);
    await keep("AAPL", second);
    expect(await newest("AAPL", all)).toEqual(second);
    expect(await newest("AAPL", { ...all, until: second.at })).toEqual(second);
    expect(await newest("AAPL", { ...all, until: second.at - 1 })).toEqual(first);
    expect(await newest("AAPL", { since: first.at + 1, until: second.at - 1 })).toBeNull();
    expect(await newest("MSFT", all)).toBeNull();
  });

  it("are kept once in a quarter of an hour, the first one, and never changed after", async () => {
    const { save: keep, newest, db } = await shelf();
    for (const [minutes, price] of [
      [0, 1],
      [0, 2],
      [14.9, 3],
      [-10, 4],
    ] as const)
      await keep("AAPL", snapshot(minutes, price));
    expect(await newest("AAPL", all)).toEqual(snapshot(0, 1));
    await keep("AAPL", snapshot(15, 5));
    await keep("MSFT", snapshot(15, 6));
    expect(await db.selectFrom("contract_snapshots").select("symbol").execute()).toHaveLength(3);
  });

  it("say from when on they are kept", async () => {
    const { save: keep, oldestSavedAt: firstKept } = await shelf();
    expect(await firstKept("AAPL")).toBeNull();
    await keep("AAPL", snapshot(0, 1));
    await keep("AAPL", snapshot(60, 1));
    expect(await firstKept("AAPL")).toBe(NOON);
  });

  it("are forgotten after 400 days", async () => {
    const { save: keep, oldestSavedAt: firstKept } = await shelf();
    await keep("AAPL", snapshot(0, 1));
    const later = { ...snapshot(0, 2), at: NOON + 400 * DAY };
    await keep("AAPL", { ...later, at: later.at - 1 });
    expect(await firstKept("AAPL")).toBe(NOON);
    await keep("AAPL", { ...later, at: later.at + DAY });
    expect(await firstKept("AAPL")).toBe(later.at - 1);
  });

  it("are at most 10,000 of a symbol", async () => {
    const { db, save: keep } = await shelf();
    const old = Array.from({ length: 10_000 }, (_, i) => ({
      market: "test",
      symbol: "AAPL",
      said: "{}",
      at: new Date(NOON - (i + 15) * MINUTE).toISOString(),
    }));
    for (let i = 0; i < old.length; i += 500)
      await db
        .insertInto("contract_snapshots")
        .values(old.slice(i, i + 500))
        .execute();
    await keep("AAPL", snapshot(0, 1));
    const { count } = await db
      .selectFrom("contract_snapshots")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    expect(count).toBe(10_000);
  });

  it("are of one market, and a row that says anything else is none", async () => {
    const { save: keep, newest, db } = await shelf();
    await keep("AAPL", snapshot(0, 1));
    const other = contractSnapshotRepository({ db, market: "another", log: collectingLog().log });
    expect(await other.newest("AAPL", all)).toBeNull();
    expect(await other.oldestSavedAt("AAPL")).toBeNull();
    await db.updateTable("contract_snapshots").set({ said: '{"price":-1}' }).execute();
    expect(await newest("AAPL", all)).toBeNull();
  });

  it("lose one that cannot be kept, and log it", async () => {
    const { save: keep, db, lines } = await shelf();
    await db.schema.dropTable("contract_snapshots").execute();
    await keep("AAPL", snapshot(0, 1));
    expect(lines).toMatchObject([{ level: "warn", event: "contracts_not_kept" }]);
  });
});
